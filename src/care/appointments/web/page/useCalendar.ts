import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { beginningOf } from '../../../../shared/zoned-time.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import type { View } from '../../../calendar/web/embed/calendar-search.ts'
import { daysShown } from '../../../calendar/web/embed/periods.ts'
import type { AppointmentsSearch } from './appointments-search.ts'

/** The appointments of what is shown, kept true by the events of the server. */
export function useCalendar({ day, provider, room, all }: AppointmentsSearch, view: View) {
  const clock = useClock()
  const cache = useQueryClient()
  const shown = day ?? today(clock)
  const { from, to } = daysShown(view, shown)
  const input = {
    from: beginningOf(from, clock.timeZone).toISOString(),
    to: beginningOf(to, clock.timeZone).toISOString(),
    providerId: provider,
    roomId: room,
    all: all ?? ('false' as const),
  }
  const list = useQuery(orpc.appointments.list.queryOptions({ input, placeholderData: keepPreviousData }))
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.appointments.key() })
  useLive(['appointment'], refresh, { debounceMs: 300 })
  // Patients are renamed, merged and deleted; most of what happens to them does not show here.
  useLive(['contact'], refresh, { debounceMs: 1000 })
  return { clock, shown, period: { from: input.from, to: input.to }, list }
}
