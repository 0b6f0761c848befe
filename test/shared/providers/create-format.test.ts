import { formatOf } from '../../../shared/providers/index.ts';
import { formatLaws } from '../../conformance/format-laws.ts';
import { SAMPLES } from '../../support/provider-samples.ts';

/** Endpoints that share a format are read in the same way. */
const formats = Map.groupBy(SAMPLES, ({ endpoint }) => formatOf(endpoint));
for (const [format, [first]] of formats) if (first !== undefined) formatLaws(first.endpoint.name, format);
