import { API_ENDPOINTS, formatOf } from '../../../shared/providers/index.ts';
import { dialectLaws } from '../../laws/dialect-laws.ts';

for (const endpoint of API_ENDPOINTS)
  if (endpoint.method === 'POST') dialectLaws(endpoint.name, formatOf(endpoint));
