import { isUuid } from '../../../shared/text.ts'
import { type RunStatus, runStatuses } from '../rules.ts'

export interface SequenceSearch {
  view?: 'patients'
  status?: RunStatus
  /** The patient's run that is open. */
  run?: string
}

/** The state of the page in its address. Invalid values are set to undefined explicitly, because the router would keep them otherwise. */
export function readSequenceSearch(from: Record<string, unknown>): SequenceSearch {
  const status = runStatuses.find((one) => one === from.status)
  return {
    view: from.view === 'patients' ? 'patients' : undefined,
    status,
    run: typeof from.run === 'string' && isUuid(from.run) ? from.run : undefined,
  }
}
