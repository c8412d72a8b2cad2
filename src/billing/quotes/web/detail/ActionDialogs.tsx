import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatDay, formatMoney } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { quoteLimits, quoteMessages } from '../../contract.ts'
import { quoteName } from '../../rules.ts'
import type { QuoteData } from '../quote-data.ts'
import type { Action } from './action.ts'
import { useQuoteAction } from './useQuoteAction.ts'

interface ActionProps {
  quote: QuoteData
  onClose: () => void
  onDone: (after: QuoteData) => void
}

/** The dialog of what is about to be done with a quote. */
export default function ActionDialogs({ action, ...props }: ActionProps & { action: Action }) {
  switch (action) {
    case 'send':
      return <SendDialog {...props} />
    case 'accept':
      return <AcceptDialog {...props} />
    case 'decline':
      return <DeclineDialog {...props} />
    case 'withdraw':
      return <WithdrawDialog {...props} />
    case 'revise':
      return <ReviseDialog {...props} />
  }
}

/** In the select: no mail is sent. */
const byHand = 'by hand'

function SendDialog({ quote, onClose, onDone }: ActionProps) {
  const choices = useQuery(orpc.quotes.choices.queryOptions({ input: { contactId: quote.contactId }, staleTime: 0 }))
  const addresses = choices.data?.addresses
  const toOf = (chosen: string | null) => chosen ?? addresses?.[0] ?? (addresses ? byHand : null)
  const form = useQuoteAction({
    initial: { email: null as string | null },
    check: ({ email }) => ({ email: toOf(email) === null ? 'The addresses are still to come' : undefined }),
    send({ email }, idempotencyKey) {
      const to = toOf(email)
      return client.quotes.send({ id: quote.id, version: quote.version, email: to === byHand ? null : to, idempotencyKey })
    },
    done(_, { email }) {
      const to = toOf(email)
      return to === byHand ? `${quoteName(quote)} is handed over` : `${quoteName(quote)} sent to ${to}`
    },
    onDone,
  })
  const to = toOf(form.values.email)
  const isMail = to !== byHand
  // The day is a field of the quote, and none of this dialog.
  const { validUntil, ...problems } = form.problems
  return (
    <ActionDialog
      title={`Send ${quoteName(quote).toLowerCase()}`}
      description="It goes as a PDF with a link to the portal, where the patient can accept it. From then on it stays as it is."
      form={{ ...form, problems: validUntil ? { ...problems, form: validUntil } : problems }}
      action={{ label: isMail ? 'Send quote' : 'Mark as delivered', busyLabel: isMail ? 'Sending...' : 'Marking...' }}
      onClose={onClose}
    >
      {addresses ? (
        <Field
          label="To"
          error={problems.email}
          hint={isMail ? 'Only the patient’s own addresses can be chosen.' : 'Print the PDF and give it to the patient.'}
        >
          <Select
            value={to}
            onValueChange={(email) => form.set({ email })}
            options={[
              ...addresses.map((address) => ({ value: address, label: address })),
              { value: byHand, label: 'Handed over, no email' },
            ]}
          />
        </Field>
      ) : choices.error ? (
        <Alert tone="danger">Couldn’t load the addresses. Close this and try again.</Alert>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-2">
          <Skeleton className="w-1/6" />
          <Skeleton className="h-9" />
        </div>
      )}
    </ActionDialog>
  )
}

function AcceptDialog({ quote, onClose, onDone }: ActionProps) {
  const form = useQuoteAction({
    initial: { name: '' },
    send: ({ name }) => client.quotes.accept({ id: quote.id, totalCents: quote.totalCents, name }),
    done: `${quoteName(quote)} is accepted`,
    onDone,
  })
  return (
    <ActionDialog
      title="Accept for the patient?"
      description={`${quoteName(quote)} over ${formatMoney(quote.totalCents)} is charged to the patient’s account, with its deposit and instalments.${quote.surgery ? ' The surgery gets its price.' : ''}`}
      form={form}
      action={{ label: 'Accept quote', busyLabel: 'Accepting...' }}
      onClose={onClose}
    >
      <Field label="Signed by" optional error={form.problems.name} hint="The name under the printed quote, if the patient has signed one.">
        <Input {...form.text('name')} maxLength={quoteLimits.name} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}

function DeclineDialog(props: ActionProps) {
  return (
    <ReasonDialog
      {...props}
      title="The patient declines?"
      description={`${quoteName(props.quote)}, ${formatMoney(props.quote.totalCents)}. It can no longer be accepted. You can create a new version.`}
      action={{ label: 'Note as declined', busyLabel: 'Noting...' }}
      done={`${quoteName(props.quote)} is declined`}
      call={(reason) => client.quotes.decline({ id: props.quote.id, reason })}
    />
  )
}

function WithdrawDialog(props: ActionProps) {
  const { quote } = props
  const isAccepted = quote.status === 'accepted'
  return (
    <ReasonDialog
      {...props}
      title={quote.status === 'draft' ? 'Discard this draft?' : 'Withdraw this quote?'}
      description={
        isAccepted
          ? `${quoteName(quote)} was accepted. Its charge of ${formatMoney(quote.totalCents)} is made void, and the surgery no longer has its price. This is refused if something of it was paid.`
          : `${quoteName(quote)}, ${formatMoney(quote.totalCents)}. ${quote.status === 'draft' ? 'It is kept as withdrawn.' : 'The patient no longer sees it.'}`
      }
      action={{
        label: quote.status === 'draft' ? 'Discard draft' : 'Withdraw quote',
        busyLabel: quote.status === 'draft' ? 'Discarding...' : 'Withdrawing...',
        isDanger: true,
      }}
      done={`${quoteName(quote)} is withdrawn`}
      call={(reason) => client.quotes.withdraw({ id: quote.id, reason })}
    />
  )
}

interface ReasonProps extends ActionProps {
  title: string
  description: string
  action: ComponentProps<typeof ActionDialog>['action']
  done: string
  call: (reason: string) => Promise<QuoteData>
}

function ReasonDialog({ onDone, onClose, done, call, quote: _, ...frame }: ReasonProps) {
  const form = useQuoteAction({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? quoteMessages.reason : undefined }),
    send: ({ reason }) => call(reason),
    done,
    onDone,
  })
  return (
    <ActionDialog {...frame} form={form} onClose={onClose}>
      <Field label="Reason" error={form.problems.reason}>
        <Input {...form.text('reason')} maxLength={quoteLimits.reason} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}

function ReviseDialog({ quote, onClose, onDone }: ActionProps) {
  const form = useQuoteAction({
    initial: {},
    send: (_, idempotencyKey) => client.quotes.revise({ id: quote.id, idempotencyKey }),
    done: 'The new version is a draft',
    onDone,
  })
  return (
    <ActionDialog
      title="Make a new version?"
      description={
        quote.shownStatus === 'sent'
          ? `The patient can no longer accept this one, which is valid until ${formatDay(quote.validUntil)}. The new version begins as a draft.`
          : 'It begins as a draft with the same lines.'
      }
      form={form}
      action={{ label: 'Make new version', busyLabel: 'Making...' }}
      onClose={onClose}
    />
  )
}
