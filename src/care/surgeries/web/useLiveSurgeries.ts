import { useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import type { SurgeryInList } from './surgery-data.ts'

/**
 * Refreshes surgeries on server events. Missing items also change with the patient's record, chart and appointments, and with the consent forms that the practice uses, without a surgery event.
 */
export function useLiveSurgeries(shown: readonly Pick<SurgeryInList, 'contact'>[]): void {
  const cache = useQueryClient()
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.surgeries.key() })
  useLive(['surgery'], refresh, { debounceMs: 300 })
  useLive(['appointment', 'consent-template'], refresh, { debounceMs: 1000 })
  // Most patient events concern none of the visible patients.
  useLive(['contact', 'chart'], (ids) => (ids === null || shown.some(({ contact }) => ids.has(contact.id))) && refresh(), {
    debounceMs: 1000,
  })
}
