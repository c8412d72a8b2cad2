import { useQuery } from '@tanstack/react-query'
import { Clock as ClockIcon, Mail, MailX, MessageCircle } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { formatWish } from '../../link-rules.ts'
import { type AppointmentData, isToCome } from '../appointment-data.ts'
import { type MailedData, mailNames, mailState, type WishData } from '../mail-labels.ts'

/** Milliseconds: a mail that has just been written is under way for so long as a rule. */
const whileQueued = 3_000

/** What the patient was told of an appointment, and what they have asked for, the newest first. */
export function AppointmentMails({ appointment }: { appointment: AppointmentData }) {
  const clock = useClock()
  const { id, tellsPatient } = appointment
  const told = useQuery(
    orpc.appointments.correspondence.queryOptions({
      input: { id },
      refetchInterval: ({ state }) => {
        const isUnderWay =
          state.data?.mails.some(({ message }) => message?.status === 'queued') || (tellsPatient && state.data?.mails.length === 0)
        return isUnderWay && isToCome(appointment, clock) ? whileQueued : false
      },
    }),
  )
  return (
    <section aria-labelledby="told" className="flex flex-col gap-2">
      <h3 id="told" className="text-sm font-semibold text-fg">
        Emails to the patient
      </h3>
      {told.data ? (
        <>
          <p className="text-sm text-fg-3">
            {tellsPatient
              ? 'Told when it is booked, moved or cancelled, and reminded two days and a day before.'
              : 'The patient is not emailed.'}
          </p>
          {tellsPatient && told.data.mails.length === 0 && isToCome(appointment, clock) && (
            <p className="flex items-center gap-2 text-sm text-fg-2">
              <ClockIcon aria-hidden="true" className="size-4" /> The confirmation is being sent.
            </p>
          )}
          {told.data.mails.length + told.data.wishes.length > 0 && (
            <ul aria-label="Emails to the patient" className="flex flex-col">
              {linesOf(told.data).map((line) =>
                'kind' in line ? <MailLine key={line.id} mail={line} /> : <WishLine key={line.id} wish={line} />,
              )}
            </ul>
          )}
        </>
      ) : told.error ? (
        <p className="flex items-center gap-2 text-sm text-fg-2">
          Couldn’t load them.
          <Button size="sm" busy={told.isFetching} onClick={() => void told.refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-3 py-1">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      )}
    </section>
  )
}

const linesOf = ({ mails, wishes }: { mails: MailedData[]; wishes: WishData[] }): (MailedData | WishData)[] =>
  [...mails, ...wishes].toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))

const line = 'flex gap-2.5 border-b border-line py-2 text-sm last:border-b-0 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:flex-none'

function MailLine({ mail }: { mail: MailedData }) {
  const clock = useClock()
  const { words, isProblem } = mailState(mail)
  const Icon = isProblem ? MailX : Mail
  return (
    <li className={line}>
      <Icon aria-hidden="true" className={isProblem ? 'text-danger-fg' : 'text-fg-3'} />
      <span className="min-w-0 flex-1">
        <span className="block text-fg">{mailNames[mail.kind]}</span>
        <span className={`block text-xs wrap-anywhere ${isProblem ? 'text-danger-fg' : 'text-fg-3'}`}>{words}</span>
      </span>
      <time dateTime={mail.createdAt} className="flex-none text-xs whitespace-nowrap text-fg-3 tabular-nums">
        {formatDateTime(mail.createdAt, clock)}
      </time>
    </li>
  )
}

function WishLine({ wish }: { wish: WishData }) {
  const clock = useClock()
  return (
    <li className={line}>
      <MessageCircle aria-hidden="true" className="text-warning-fg" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-fg">The patient asks for another time</span>
        <span className="block whitespace-pre-wrap wrap-anywhere text-fg-2">{formatWish(wish)}</span>
      </span>
      <time dateTime={wish.createdAt} className="flex-none text-xs whitespace-nowrap text-fg-3 tabular-nums">
        {formatDateTime(wish.createdAt, clock)}
      </time>
    </li>
  )
}
