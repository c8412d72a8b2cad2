import { useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import type { SurgeryInList } from './surgery-data.ts'

/**
 * Keeps what is shown of surgeries true. What a case waits for changes without an event of its own: with its patient's record, and with their
 * appointments.
 */
export function useLiveSurgeries(shown: readonly Pick<SurgeryInList, 'contact'>[]): void {
  const cache = useQueryClient()
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.surgeries.key() })
  useLive(['surgery'], refresh, { debounceMs: 300 })
  useLive(['appointment'], refresh, { debounceMs: 1000 })
  // Most of what happens to patients concerns none of those that are shown.
  useLive(['contact'], (ids) => (ids === null || shown.some(({ contact }) => ids.has(contact.id))) && refresh(), { debounceMs: 1000 })
}
