import { Link } from '@tanstack/react-router'
import { Merge, Undo2, Users } from 'lucide-react'
import type { Client } from '../../../ui/client/api.ts'
import { fullName } from '../../contacts/web/embed/contact-data.ts'
import { Avatar } from '../../../ui/display/Avatar.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { type Clock, formatDay, formatPhone, formatShortDate } from '../../../ui/format.ts'
import { PatientFacts } from './PatientFacts.tsx'
import { formatReasons } from './reasons.ts'
import { pairElement } from './useQueueKeys.ts'

export type Pair = Awaited<ReturnType<Client['duplicates']['list']>>['data'][number]
type Patient = Pair['first']

export const keyOf = ({ first, second }: Pair): string => `${first.id}_${second.id}`

interface PairRowProps {
  pair: Pair
  clock: Clock
  isCurrent: boolean
  onMerge: () => void
  onDismiss: () => void
  onRestore: () => void
}

/** Two patients side by side, the reasons they may be the same person, and the actions. */
export function PairRow({ pair, clock, isCurrent, onMerge, onDismiss, onRestore }: PairRowProps) {
  const names = `${fullName(pair.first)} and ${fullName(pair.second)}`
  return (
    <li
      id={pairElement(keyOf(pair))}
      tabIndex={-1}
      aria-label={`${names}: ${formatReasons(pair.reasons)}`}
      className={cn(
        'scroll-my-12 border-b border-line px-4 py-3 outline-none focus-visible:bg-hover md:px-6 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_9rem_auto] lg:items-center lg:gap-x-4',
        isCurrent && 'shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      <PatientCell patient={pair.first} clock={clock} />
      <PatientCell patient={pair.second} clock={clock} />
      <p className="py-1 text-sm text-fg-2">{formatReasons(pair.reasons)}</p>
      <div className="flex flex-wrap gap-2 max-lg:pt-2">
        {pair.dismissedAt === null ? (
          <>
            <Button icon={<Merge />} aria-label={`Merge ${names}`} onClick={onMerge}>
              Merge…
            </Button>
            <Button variant="quiet" icon={<Users />} aria-label={`${names}: not a duplicate`} onClick={onDismiss}>
              Not a duplicate
            </Button>
          </>
        ) : (
          <Button icon={<Undo2 />} aria-label={`Return ${names} to the queue`} onClick={onRestore}>
            Return to queue
          </Button>
        )}
      </div>
    </li>
  )
}

function PatientCell({ patient, clock }: { patient: Patient; clock: Clock }) {
  const { email, phone, city, dateOfBirth } = patient
  const facts = [email, phone && formatPhone(phone), dateOfBirth && `born ${formatDay(dateOfBirth)}`, city].filter((fact) => fact !== null)
  return (
    <div className="flex min-w-0 items-center gap-3 py-1">
      <Avatar kind="patient" firstName={patient.firstName} lastName={patient.lastName} />
      <div className="min-w-0">
        <Link
          to="/contacts/$id"
          params={{ id: patient.id }}
          className="block rounded-xs text-sm font-medium break-words text-fg hover:underline"
        >
          {fullName(patient)}
        </Link>
        <PatientFacts facts={[...facts, `added ${formatShortDate(patient.createdAt, clock)}`]} className="text-xs text-fg-3" />
      </div>
    </div>
  )
}
