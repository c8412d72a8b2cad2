import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { centsToText, textToCents } from '../../../../shared/money.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { codeOf, placeProblems } from '../../../../ui/client/refusal.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DateInput } from '../../../../ui/controls/DateInput.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { MoneyInput } from '../../../../ui/controls/MoneyInput.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { formatDay, formatMoney, formatPercent, today } from '../../../../ui/format.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { earliestDay, financingFee, financingLabels, financingProviders } from '../../financing-rules.ts'
import { quoteMessages } from '../../quote-contract.ts'
import type { QuoteData } from '../quote-data.ts'
import { financingTones } from '../labels.ts'
import { useQuoteAction } from './useQuoteAction.ts'

type Financing = NonNullable<QuoteData['financing']>
type Asked = 'apply' | 'approve' | 'decline' | 'pay'

/** Where the financing of a quote stands, and what can be recorded next. Nothing for a quote that was never sent. */
export function FinancingPart({ quote }: { quote: QuoteData }) {
  const may = usePermission()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { financing, status, shownStatus } = quote
  const canApply =
    (shownStatus === 'sent' || shownStatus === 'accepted') &&
    (financing === null || financing.status === 'declined') &&
    may('quotes.applyForFinancing')
  if (!financing && !canApply) return null
  const close = () => setAsked(null)
  return (
    <section aria-label="Financing" className="mt-5 border-t border-line pt-4">
      <h3 className="pb-1.5 text-sm font-semibold">Financing</h3>
      {financing && <FinancingFacts financing={financing} />}
      <div className="flex flex-wrap gap-1.5 pt-2">
        {canApply && (
          <Button size="sm" onClick={() => setAsked('apply')}>
            Record application…
          </Button>
        )}
        {financing?.status === 'applied' && (
          <Button size="sm" onClick={() => setAsked('approve')}>
            Record approval…
          </Button>
        )}
        {financing?.status === 'approved' && status === 'accepted' && may('quotes.payFinancing') && (
          <Button size="sm" onClick={() => setAsked('pay')}>
            Record payment…
          </Button>
        )}
        {(financing?.status === 'applied' || financing?.status === 'approved') && (
          <Button size="sm" onClick={() => setAsked('decline')}>
            Record decline…
          </Button>
        )}
      </div>
      {financing?.status === 'approved' && status !== 'accepted' && (
        <p className="pt-1.5 text-xs text-fg-3">The payment is recorded once the quote is accepted.</p>
      )}
      {financing?.status === 'approved' && financing.paidOn && (
        <p className="pt-1.5 text-xs text-fg-2">
          The payment of {formatDay(financing.paidOn)} is not in QuickBooks yet.{' '}
          <Link to="/collections" search={{ tab: 'pending' }} className="rounded-xs text-accent-fg hover:underline">
            Show pending receipts
          </Link>
        </p>
      )}
      {asked === 'apply' && <ApplyDialog quote={quote} onClose={close} />}
      {financing && asked === 'approve' && <ApproveDialog quote={quote} financing={financing} onClose={close} />}
      {financing && asked === 'decline' && <DeclinedDialog financing={financing} onClose={close} />}
      {financing && asked === 'pay' && <PayDialog quote={quote} financing={financing} onClose={close} />}
    </section>
  )
}

function FinancingFacts({ financing }: { financing: Financing }) {
  const { provider, status, appliedOn, decidedOn, approvedCents, feePercent, paidOn, paidCents, feeCents } = financing
  return (
    <Facts>
      <Fact label="Company">
        {provider} <Badge tone={financingTones[status]}>{financingLabels[status]}</Badge>
      </Fact>
      <Fact label="Applied">{formatDay(appliedOn)}</Fact>
      {approvedCents !== null && decidedOn && (
        <Fact label="Approved">
          {formatMoney(approvedCents)}, fee {formatPercent((feePercent ?? 0) / 100)}
          {status !== 'declined' && `, on ${formatDay(decidedOn)}`}
        </Fact>
      )}
      {status === 'declined' && decidedOn && <Fact label="Declined">{formatDay(decidedOn)}</Fact>}
      {paidCents !== null && paidOn && (
        <Fact label="Paid">
          {formatMoney(paidCents)} on {formatDay(paidOn)}, after a fee of {formatMoney(feeCents ?? 0)}
        </Fact>
      )}
    </Facts>
  )
}

function ApplyDialog({ quote, onClose }: { quote: QuoteData; onClose: () => void }) {
  const clock = useClock()
  const form = useQuoteAction<{ provider: string | null; other: string; appliedOn: string }>({
    initial: { provider: financingProviders[0], other: '', appliedOn: today(clock) },
    check: ({ provider, other }) => ({ other: provider === null && other.trim() === '' ? quoteMessages.provider : undefined }),
    send: ({ provider, other, appliedOn }) =>
      client.quotes.applyForFinancing({ id: quote.id, provider: provider ?? other.trim(), appliedOn }),
    done: 'Application recorded',
    onDone: onClose,
  })
  return (
    <ActionDialog title="Record application for financing" form={form} action={{ label: 'Record application' }} onClose={onClose}>
      <Field label="Company" error={form.values.provider === null ? undefined : form.problems.provider}>
        <Select
          {...form.bind('provider')}
          options={financingProviders.map((one) => ({ value: one, label: one }))}
          noneLabel="Another company"
        />
      </Field>
      {form.values.provider === null && (
        <Field label="Name of the company" error={form.problems.other ?? form.problems.provider}>
          <Input {...form.text('other')} maxLength={80} autoComplete="off" />
        </Field>
      )}
      <Field label="Applied on" error={form.problems.appliedOn} className="md:w-1/2">
        <DateInput {...form.bind('appliedOn')} min={earliestDay} max={today(clock)} />
      </Field>
    </ActionDialog>
  )
}

interface DialogProps {
  financing: Financing
  onClose: () => void
}

/** A percentage as typed, in hundredths of a percent; null: none. */
const hundredthsOf = (text: string): number | null => textToCents(text.replace('%', '')) ?? null

function ApproveDialog({ quote, financing, onClose }: DialogProps & { quote: QuoteData }) {
  const clock = useClock()
  const form = useQuoteAction({
    initial: { amount: centsToText(quote.totalCents), fee: '', decidedOn: today(clock) },
    check: ({ amount, fee }) => ({
      amount: (textToCents(amount) ?? 0) < 1 ? quoteMessages.money : undefined,
      fee: hundredthsOf(fee) === null || hundredthsOf(fee)! > 5_000 ? quoteMessages.feePercent : undefined,
    }),
    send: ({ amount, fee, decidedOn }) =>
      client.quotes.approveFinancing({
        id: financing.id,
        decidedOn,
        amountCents: textToCents(amount)!,
        feePercent: hundredthsOf(fee)!,
      }),
    done: 'Approval recorded',
    onDone: onClose,
  })
  const isAboveTotal = (textToCents(form.values.amount) ?? 0) > quote.totalCents
  return (
    <ActionDialog title={`Approval by ${financing.provider}`} form={form} action={{ label: 'Record approval' }} onClose={onClose}>
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="Amount"
          error={form.problems.amount ?? form.problems.amountCents}
          hint={isAboveTotal && `More than the quote’s total of ${formatMoney(quote.totalCents)}. The rest becomes credit.`}
        >
          <MoneyInput {...form.bind('amount')} />
        </Field>
        <Field label="Fee in percent" error={form.problems.fee ?? form.problems.feePercent} hint="What the company keeps">
          <Input {...form.text('fee')} inputMode="decimal" autoComplete="off" maxLength={6} trailing="%" />
        </Field>
      </div>
      <Field label="Approved on" error={form.problems.decidedOn} className="md:w-1/2">
        <DateInput {...form.bind('decidedOn')} min={financing.appliedOn} max={today(clock)} />
      </Field>
    </ActionDialog>
  )
}

function DeclinedDialog({ financing, onClose }: DialogProps) {
  const clock = useClock()
  const form = useQuoteAction({
    initial: { decidedOn: today(clock) },
    send: ({ decidedOn }) => client.quotes.declineFinancing({ id: financing.id, decidedOn }),
    done: 'Decline recorded',
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Record that ${financing.provider} declined?`}
      description="The patient can then apply with another company."
      form={form}
      action={{ label: 'Record decline', isDanger: true }}
      onClose={onClose}
    >
      <Field label="Declined on" error={form.problems.decidedOn} className="md:w-1/2">
        <DateInput {...form.bind('decidedOn')} min={financing.appliedOn} max={today(clock)} />
      </Field>
    </ActionDialog>
  )
}

function PayDialog({ quote, financing, onClose }: DialogProps & { quote: QuoteData }) {
  const clock = useClock()
  const accounts = useQuery(orpc.pos.accounts.queryOptions()).data
  const account = useQuery(orpc.collections.account.queryOptions({ input: { contactId: quote.contactId } })).data
  const openCents = account?.charges.find(({ id }) => id === quote.chargeId)?.openCents
  const gross = financing.approvedCents ?? quote.totalCents
  const fee = financingFee(gross, financing.feePercent ?? 0)
  const form = useQuoteAction({
    initial: { paid: centsToText(gross - fee), fee: centsToText(fee), paidOn: today(clock), account: null as string | null },
    check: ({ paid, fee: kept, account }) => ({
      paid: (textToCents(paid) ?? 0) < 1 ? quoteMessages.money : undefined,
      fee: textToCents(kept) === null ? quoteMessages.money : undefined,
      account: account === null && !accounts?.lastUsedAccount ? 'Choose an account' : undefined,
    }),
    send: ({ paid, fee: kept, paidOn, account }) =>
      client.quotes.payFinancing({
        id: financing.id,
        paidCents: textToCents(paid)!,
        feeCents: textToCents(kept)!,
        paidOn,
        depositAccount: account ?? accounts!.lastUsedAccount!,
      }),
    onRefused(error, problems) {
      if (codeOf(error) !== 'PENDING') return placeProblems(problems, ['paidCents', 'feeCents', 'paidOn', 'depositAccount'])
      // It is stored, and must not be entered again.
      onClose()
      toast.info('Payment saved', messageOf(error))
      return {}
    },
    done: 'Payment recorded in QuickBooks',
    onDone: onClose,
  })
  const { paid, fee: kept } = form.values
  const sum = (textToCents(paid) ?? 0) + (textToCents(kept) ?? 0)
  return (
    <ActionDialog
      title={`Payment from ${financing.provider}`}
      description={`${describeUse(sum, openCents)} The fee is recorded in QuickBooks as an expense.`}
      form={form}
      action={{ label: 'Record payment', busyLabel: 'Recording…' }}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label="Paid to the clinic" error={form.problems.paid ?? form.problems.paidCents}>
          <MoneyInput {...form.bind('paid')} />
        </Field>
        <Field label="Fee" error={form.problems.fee ?? form.problems.feeCents}>
          <MoneyInput {...form.bind('fee')} />
        </Field>
      </div>
      <Field label="Paid on" error={form.problems.paidOn} className="md:w-1/2">
        <DateInput {...form.bind('paidOn')} min={financing.decidedOn ?? earliestDay} max={today(clock)} />
      </Field>
      <Field label="Deposited to" error={form.problems.account ?? form.problems.depositAccount}>
        <Select
          value={form.values.account ?? accounts?.lastUsedAccount ?? null}
          onValueChange={form.bind('account').onValueChange}
          options={(accounts?.accounts ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))}
          placeholder="Choose an account"
        />
      </Field>
    </ActionDialog>
  )
}

/** What a payment pays. @param openCents what is open of the quote's charge; undefined: not known yet. */
function describeUse(sumCents: number, openCents: number | undefined): string {
  if (openCents === undefined)
    return 'The payment is applied to the patient’s charge. Anything beyond the outstanding amount becomes credit.'
  if (openCents <= 0) return `The patient’s charge is paid: ${formatMoney(sumCents)} becomes credit.`
  if (sumCents <= openCents) return `${formatMoney(sumCents)} is applied to the patient’s charge.`
  return `${formatMoney(openCents)} is applied to the patient’s charge, and ${formatMoney(sumCents - openCents)} becomes credit.`
}
