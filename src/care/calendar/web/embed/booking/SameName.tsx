import { TriangleAlert } from 'lucide-react'
import { ageOn } from '../../../../../shared/zoned-time.ts'
import { cn } from '../../../../../ui/cn.ts'
import { useClock } from '../../../../../ui/client/session.ts'
import { Alert } from '../../../../../ui/display/Alert.tsx'
import { type Clock, daysBetween, formatDay, today } from '../../../../../ui/format.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import type { Booking } from './bookings.ts'

type Named = Pick<Booking, 'contact' | 'startsAt'>

const birthOf = (dateOfBirth: string | null): string => (dateOfBirth === null ? 'no birth date' : formatDay(dateOfBirth))

/** The warning and both birth dates; null if no other patient of the day has this name. */
function sameNameWarning({ contact, startsAt }: Named, clock: Clock): { title: string; births: string } | null {
  const { namesakes, dateOfBirth } = contact
  if (namesakes.length === 0) return null
  const others = namesakes.map((other) => birthOf(other.dateOfBirth)).join(' and ')
  return {
    title: `Same name as another patient ${daysBetween(startsAt, clock) === 0 ? 'today' : 'on this day'}: check the birth date`,
    births: `This patient: ${birthOf(dateOfBirth)}. Other: ${others}.`,
  }
}

/** Above the details of a booking. */
export function SameNameAlert({ booking }: { booking: Named }) {
  const warning = sameNameWarning(booking, useClock())
  return (
    warning && (
      <Alert tone="warning" title={`${warning.title}.`} className="mb-5">
        {warning.births}
      </Alert>
    )
  )
}

interface MarkProps {
  booking: Named
  /** Only the icon, with the text on hover and for screen readers. */
  isShort?: boolean
}

/** In a row of a list or an event of the calendar. */
export function SameNameMark({ booking, isShort = false }: MarkProps) {
  const warning = sameNameWarning(booking, useClock())
  if (!warning) return null
  const text = `${warning.title}. ${warning.births}`
  return (
    <span title={text} className={cn('flex min-w-0 items-start gap-1 text-warning-fg', isShort && 'flex-none')}>
      <TriangleAlert aria-hidden="true" className="mt-px size-3.5! flex-none" />
      <span className={isShort ? 'sr-only' : 'min-w-0 text-xs'}>{text}</span>
    </span>
  )
}

/** The lines of a printed booking that identify the patient. */
export function identityLines(booking: Named, clock: Clock): [label: string, value: string | null][] {
  const { dateOfBirth } = booking.contact
  return [
    ['Birth date', dateOfBirth && `${formatDay(dateOfBirth)} (${ageOn(dateOfBirth, today(clock))})`],
    ['Same name', sameNameWarning(booking, clock)?.births ?? null],
  ]
}

/** After booking. */
export function warnOfSameName(booking: Named, clock: Clock): void {
  const warning = sameNameWarning(booking, clock)
  if (warning) toast.info(warning.title, warning.births)
}
