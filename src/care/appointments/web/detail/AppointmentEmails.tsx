import { useQuery } from '@tanstack/react-query'
import { Clock as ClockIcon, Mail, MailX, MessageCircle } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatDateTime } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { formatRescheduleRequest } from '../../link-rules.ts'
import { type AppointmentData, isUpcoming } from '../appointment-data.ts'
import { type MailedData, mailNames, mailState, type RescheduleRequestData } from '../email-labels.ts'

/** How often to refresh while an email is being sent, in milliseconds. */
const pollIntervalMs = 3_000

/** Emails about an appointment and the patient's reschedule requests, newest first. */
export function AppointmentEmails({ appointment }: { appointment: AppointmentData }) {
  const clock = useClock()
  const { id, notifiesPatient } = appointment
  const correspondence = useQuery(
    orpc.appointments.correspondence.queryOptions({
      input: { id },
      refetchInterval: ({ state }) => {
        const isPending =
          state.data?.emails.some(({ message }) => message?.status === 'queued') || (notifiesPatient && state.data?.emails.length === 0)
        return isPending && isUpcoming(appointment, clock) ? pollIntervalMs : false
      },
    }),
  )
  return (
    <section aria-labelledby="appointment-emails" className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 id="appointment-emails" className="text-sm font-semibold text-fg">
        Emails to the patient
      </h3>
      {correspondence.data ? (
        <>
          <p className="text-sm text-fg-3">
            {notifiesPatient
              ? 'Emailed when booked, rescheduled or cancelled, and reminded 2 days and 1 day before.'
              : 'The patient is not emailed.'}
          </p>
          {notifiesPatient && correspondence.data.emails.length === 0 && isUpcoming(appointment, clock) && (
            <p className="flex items-center gap-2 text-sm text-fg-2">
              <ClockIcon aria-hidden="true" className="size-4" /> The confirmation is being sent.
            </p>
          )}
          {correspondence.data.emails.some((email) => mailState(email).isProblem) && (
            <HelpLink to="appointments#if-the-patient-got-no-email">What to do about emails that were not sent</HelpLink>
          )}
          {correspondence.data.emails.length + correspondence.data.rescheduleRequests.length > 0 && (
            <ul aria-label="Emails to the patient" className="flex flex-col">
              {linesOf(correspondence.data).map((line) =>
                'kind' in line ? <MailLine key={line.id} mail={line} /> : <RequestLine key={line.id} request={line} />,
              )}
            </ul>
          )}
        </>
      ) : correspondence.error ? (
        <p className="flex items-center gap-2 text-sm text-fg-2">
          Couldn’t load emails.
          <Button size="sm" busy={correspondence.isFetching} onClick={() => void correspondence.refetch()}>
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

const linesOf = ({
  emails,
  rescheduleRequests,
}: {
  emails: MailedData[]
  rescheduleRequests: RescheduleRequestData[]
}): (MailedData | RescheduleRequestData)[] =>
  [...emails, ...rescheduleRequests].toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))

const line = 'flex gap-2.5 border-b border-line py-2 text-sm last:border-b-0 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:flex-none'

function MailLine({ mail }: { mail: MailedData }) {
  const clock = useClock()
  const { text, isProblem } = mailState(mail)
  const Icon = isProblem ? MailX : Mail
  return (
    <li className={line}>
      <Icon aria-hidden="true" className={isProblem ? 'text-danger-fg' : 'text-fg-3'} />
      <span className="min-w-0 flex-1">
        <span className="block text-fg">{mailNames[mail.kind]}</span>
        <span className={`block text-xs wrap-anywhere ${isProblem ? 'text-danger-fg' : 'text-fg-3'}`}>{text}</span>
      </span>
      <time dateTime={mail.createdAt} className="flex-none text-xs whitespace-nowrap text-fg-3 tabular-nums">
        {formatDateTime(mail.createdAt, clock)}
      </time>
    </li>
  )
}

function RequestLine({ request }: { request: RescheduleRequestData }) {
  const clock = useClock()
  return (
    <li className={line}>
      <MessageCircle aria-hidden="true" className="text-warning-fg" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-fg">The patient asked to reschedule</span>
        <span className="block whitespace-pre-wrap wrap-anywhere text-fg-2">{formatRescheduleRequest(request)}</span>
      </span>
      <time dateTime={request.createdAt} className="flex-none text-xs whitespace-nowrap text-fg-3 tabular-nums">
        {formatDateTime(request.createdAt, clock)}
      </time>
    </li>
  )
}
