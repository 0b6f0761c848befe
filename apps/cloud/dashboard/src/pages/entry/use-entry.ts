import type { SessionAnswer } from '@csg/shared/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiFault, callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { remembered } from '../../data/session.ts';

/** Signs somebody in by one of the ways there are, and shows what stands in the way. */
export function useEntry<Body>(path: string, onIn: () => void) {
  const client = useQueryClient();
  const [fault, setFault] = useState<ApiFault | null>(null);
  const act = useAct((body: Body) => callApi<SessionAnswer>('POST', path, { body }), { quiet: true });
  return {
    fault,
    setFault,
    isPending: act.isPending,
    enter(body: Body, onFault?: (fault: ApiFault) => ApiFault | null) {
      setFault(null);
      act.mutate(body, {
        onSuccess(session) {
          // Whatever was read before was read by somebody else.
          client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== '/session' });
          client.setQueryData(['/session'], remembered(session));
          onIn();
        },
        onError: (error) => setFault(onFault === undefined ? error : onFault(error)),
      });
    },
  };
}
