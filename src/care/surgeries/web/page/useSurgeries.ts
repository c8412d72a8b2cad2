import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { beginningOf } from '../../../../shared/zoned-time.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import type { View } from '../../../calendar/web/embed/calendar-search.ts'
import { daysShown } from '../../../calendar/web/embed/periods.ts'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'
import type { SurgeriesSearch } from './surgeries-search.ts'

const none: readonly never[] = []

/** The surgeries of what is shown, kept true by the events of the server. A list has all that are to come, or all of the status that is chosen. */
export function useSurgeries({ day, provider, room, status, missing }: SurgeriesSearch, view: View) {
  const clock = useClock()
  const shown = day ?? today(clock)
  const { from, to } = daysShown(view, shown)
  const period = { from: beginningOf(from, clock.timeZone).toISOString(), to: beginningOf(to, clock.timeZone).toISOString() }
  const input = {
    ...(view === 'list' ? {} : period),
    surgeonId: provider,
    roomId: room,
    status,
    missing: missing ?? ('false' as const),
  }
  const list = useQuery(orpc.surgeries.list.queryOptions({ input, placeholderData: keepPreviousData, staleTime: 0 }))
  useLiveSurgeries(list.data?.data ?? none)
  return { clock, shown, list }
}
