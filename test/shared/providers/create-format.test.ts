import { formatOf } from '../../../shared/providers/index.ts';
import { testWireFormat } from '../../conformance/wire-format-suite.ts';
import { SAMPLES } from '../../support/provider-samples.ts';

/** Endpoints that share a format are read in the same way. */
const formats = Map.groupBy(SAMPLES, ({ endpoint }) => formatOf(endpoint));
for (const [format, [first]] of formats) if (first !== undefined) testWireFormat(first.endpoint.name, format);
