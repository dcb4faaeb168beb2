import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { type Part, partsOf, type Told } from './machine.ts';

const LIVE_MS = 1_000;
/** What changes slowly; asking displays makes each of them count its frames for a second. */
const SLOW_MS = 5_000;

/** The machine as it stands, asked for again and again. */
export function useMachine(): { readonly parts: readonly Part[]; readonly told: Told } {
  const view = useView();
  const told: Told = {
    devices: useQuery({ query: 'devices' }, LIVE_MS).data,
    displays: useQuery({ query: 'displays' }, SLOW_MS).data,
    storage: useQuery({ query: 'storage' }, SLOW_MS).data,
    clock: useQuery({ query: 'clock' }, SLOW_MS).data,
    reading: useQuery({ query: 'reading' }, SLOW_MS).data,
    software: useQuery({ query: 'software' }, SLOW_MS).data,
  };
  return { parts: partsOf(view, told), told };
}
