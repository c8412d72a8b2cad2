import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import type { VisitTypeData } from '../../../availability/web/embed/useAvailability.ts'
import { type AppointmentValues, toInput } from './appointment-values.ts'

/** The query of the dates of a series that begins at a valid typed time. The dates that are shown are those that are booked. */
export function seriesDatesQuery(values: AppointmentValues, timeZone: string) {
  const { startsAt, minutes, visitTypeId, providerId, secondPersonId, roomId } = toInput(values, timeZone)
  return orpc.appointments.seriesDates.queryOptions({
    input: {
      visitTypeId: visitTypeId ?? '',
      startsAt,
      minutes,
      ...(providerId && { providerId }),
      ...(secondPersonId && { secondPersonId }),
      ...(roomId && { roomId }),
    },
    staleTime: Infinity,
  })
}

interface SeriesDatesProps {
  visitType: VisitTypeData
  values: AppointmentValues
  /** Whether the typed time is valid. */
  isTimed: boolean
  /** Whether all visits are booked, not only the first. */
  booksAll: boolean
  onBooksAll: (booksAll: boolean) => void
}

/** Whether all visits of a series are booked, with their dates. */
export function SeriesDates({ visitType: { seriesVisits, seriesWeeks }, values, isTimed, booksAll, onBooksAll }: SeriesDatesProps) {
  return (
    <section aria-label="Series" className="mt-4 flex flex-col gap-3">
      <CheckboxLine
        checked={booksAll}
        onCheckedChange={onBooksAll}
        hint={`${seriesWeeks === 1 ? 'Every week' : `Every ${seriesWeeks} weeks`}, on the same weekday and time if possible.`}
      >
        Book all {seriesVisits} visits
      </CheckboxLine>
      {booksAll &&
        (isTimed ? <Dates values={values} /> : <p className="text-sm text-fg-3">Choose a time for the first visit to see all dates.</p>)}
    </section>
  )
}

function Dates({ values }: { values: AppointmentValues }) {
  const clock = useClock()
  const { data, error } = useQuery(seriesDatesQuery(values, clock.timeZone))
  if (error && !data) {
    return (
      <p role="alert" className="text-sm text-danger-fg">
        Couldn’t load the dates of the series.
      </p>
    )
  }
  if (!data) return <Skeleton className="w-2/3" />
  return (
    <ol aria-label="Dates of the series" className="divide-y divide-line rounded-md border border-line text-sm">
      {data.map(({ number, wantedAt, startsAt }) => (
        <li key={number} className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
          <span className="w-12 text-fg-3 tabular-nums">Visit {number}</span>
          {startsAt === null ? (
            <span className="text-danger-fg">No opening in the week of {formatDateTime(wantedAt, clock)}</span>
          ) : (
            <>
              <span className="tabular-nums">{formatDateTime(startsAt, clock)}</span>
              {startsAt !== wantedAt && <span className="text-warning-fg">instead of {formatDateTime(wantedAt, clock)}</span>}
            </>
          )}
        </li>
      ))}
    </ol>
  )
}
