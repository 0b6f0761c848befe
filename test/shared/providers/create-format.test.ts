import { API_ENDPOINTS, formatOf } from '../../../shared/providers/index.ts';
import { formatLaws } from '../../conformance/format-laws.ts';

for (const endpoint of API_ENDPOINTS)
  if (endpoint.method === 'POST') formatLaws(endpoint.name, formatOf(endpoint));
