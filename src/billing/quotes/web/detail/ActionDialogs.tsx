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
import { quoteLimits, quoteMessages } from '../../quote-contract.ts'
import { quoteName } from '../../rules.ts'
import type { QuoteData } from '../quote-data.ts'
import type { Action } from './action.ts'
import { useQuoteAction } from './useQuoteAction.ts'

interface ActionProps {
  quote: QuoteData
  onClose: () => void
  onDone: (after: QuoteData) => void
}

/** The dialog of a quote action. */
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

/** Option for delivery in person: no email is sent. */
const byHand = 'by hand'

function SendDialog({ quote, onClose, onDone }: ActionProps) {
  const choices = useQuery(orpc.quotes.choices.queryOptions({ input: { contactId: quote.contactId }, staleTime: 0 }))
  const addresses = choices.data?.addresses
  const toOf = (chosen: string | null) => chosen ?? addresses?.[0] ?? (addresses ? byHand : null)
  const form = useQuoteAction({
    initial: { email: null as string | null },
    check: ({ email }) => ({ email: toOf(email) === null ? 'The addresses are still loading' : undefined }),
    send({ email }, idempotencyKey) {
      const to = toOf(email)
      return client.quotes.send({ id: quote.id, version: quote.version, email: to === byHand ? null : to, idempotencyKey })
    },
    done(_, { email }) {
      const to = toOf(email)
      return to === byHand ? `${quoteName(quote)} marked as delivered` : `${quoteName(quote)} sent to ${to}`
    },
    onDone,
  })
  const to = toOf(form.values.email)
  const isEmail = to !== byHand
  // The expiry date is a field of the quote, not of this dialog.
  const { validUntil, ...problems } = form.problems
  return (
    <ActionDialog
      title={`Send ${quoteName(quote).toLowerCase()}`}
      description="Sent as a PDF with a portal link, where the patient can accept it. Sent quotes can’t be edited."
      form={{ ...form, problems: validUntil ? { ...problems, form: validUntil } : problems }}
      action={{ label: isEmail ? 'Send quote' : 'Mark as delivered', busyLabel: isEmail ? 'Sending…' : 'Marking…' }}
      onClose={onClose}
    >
      {addresses ? (
        <Field
          label="To"
          error={problems.email}
          hint={isEmail ? 'Only the patient’s own addresses can be chosen.' : 'Print the PDF and give it to the patient.'}
        >
          <Select
            value={to}
            onValueChange={(email) => form.set({ email })}
            options={[
              ...addresses.map((address) => ({ value: address, label: address })),
              { value: byHand, label: 'Delivered in person, no email' },
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
    done: `${quoteName(quote)} accepted`,
    onDone,
  })
  return (
    <ActionDialog
      title="Accept for the patient?"
      description={`${quoteName(quote)} for ${formatMoney(quote.totalCents)} is charged to the patient’s account, with its deposit and instalments.${quote.surgery ? ' It sets the price of the surgery.' : ''}`}
      form={form}
      action={{ label: 'Accept quote', busyLabel: 'Accepting…' }}
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
      title="Mark this quote as declined?"
      description={`${quoteName(props.quote)}, ${formatMoney(props.quote.totalCents)}. It can no longer be accepted. You can create a new version.`}
      action={{ label: 'Mark as declined', busyLabel: 'Marking…' }}
      done={`${quoteName(props.quote)} marked as declined`}
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
          ? `${quoteName(quote)} was accepted. Its charge of ${formatMoney(quote.totalCents)} will be voided, and the surgery loses this price. You can’t withdraw it once part of it is paid.`
          : `${quoteName(quote)}, ${formatMoney(quote.totalCents)}. ${quote.status === 'draft' ? 'It is kept as withdrawn.' : 'The patient no longer sees it.'}`
      }
      action={{
        label: quote.status === 'draft' ? 'Discard draft' : 'Withdraw quote',
        busyLabel: quote.status === 'draft' ? 'Discarding…' : 'Withdrawing…',
        isDanger: true,
      }}
      done={`${quoteName(quote)} withdrawn`}
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
    done: 'New version created as a draft',
    onDone,
  })
  return (
    <ActionDialog
      title="Make a new version?"
      description={
        quote.shownStatus === 'sent'
          ? `The patient can no longer accept this one, which is valid until ${formatDay(quote.validUntil)}. The new version starts as a draft.`
          : 'It starts as a draft with the same lines.'
      }
      form={form}
      action={{ label: 'Make new version', busyLabel: 'Creating…' }}
      onClose={onClose}
    />
  )
}
