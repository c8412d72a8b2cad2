import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { usePractice } from '../../../ui/client/session.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { formatDate, formatDay, formatMoney } from '../../../ui/format.ts'
import { formatTax } from '../../../billing/pos/rules.ts'
import { defaultDepositName, discountLabel, instalmentLabels, quoteName } from '../../../billing/quotes/rules.ts'
import type { QuoteData } from '../calls.ts'
import { useOpener } from '../useOpener.ts'
import { QuoteAnswer } from './QuoteAnswer.tsx'

interface QuoteDialogProps {
  quote: QuoteData
  onAccept: (name: string) => Promise<unknown>
  onDecline: (reason: string) => Promise<unknown>
  /** Called when a response is refused, because the displayed quote may be outdated. */
  onStale: (message: string) => void
  onClose: () => void
}

/** A quote's details, and the form to accept or decline it. */
export default function QuoteDialog({ quote, onAccept, onDecline, onStale, onClose }: QuoteDialogProps) {
  const toOpener = useOpener()
  const isOpen = quote.shownStatus === 'sent'
  const labels = instalmentLabels(quote, quote.surgeryDay)
  const outcome = useRef<HTMLParagraphElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // The form that had the focus no longer exists.
    if (wasOpen.current && !isOpen) outcome.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <Dialog
      onClose={onClose}
      onCloseAutoFocus={toOpener}
      title={<span className="[overflow-wrap:anywhere]">{quote.title}</span>}
      head={{ aside: quoteName(quote), isRoomy: true }}
      size="md"
    >
      <DialogBody className="text-portal">
        {!isOpen && (
          <p ref={outcome} tabIndex={-1} role="status" className="flex gap-3 rounded-lg bg-subtle p-4 font-medium outline-none">
            {quote.shownStatus === 'accepted' && <CircleCheck aria-hidden="true" className="mt-1 size-5! flex-none text-success-fg" />}
            <Outcome quote={quote} />
          </p>
        )}
        <ul aria-label="Quoted items" className="[&>li]:border-b [&>li]:border-line">
          {quote.lines.map((line, index) => (
            // oxlint-disable-next-line no-array-index-key -- the lines of a quote that was sent never change
            <li key={index} className="flex items-baseline gap-4 py-3">
              <div className="min-w-0 flex-1">
                <p className="font-medium [overflow-wrap:anywhere]">{line.words}</p>
                <p className="text-title leading-relaxed text-fg-2 tabular-nums">
                  {[
                    line.quantity > 1 && `${line.quantity} × ${formatMoney(line.unitPriceCents)}`,
                    line.exemptReason && `Exempt from tax: ${line.exemptReason}`,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </p>
              </div>
              <span className="flex-none tabular-nums">{formatMoney(line.amountCents)}</span>
            </li>
          ))}
        </ul>
        <dl className="pt-3">
          <Row label="Subtotal" cents={quote.subtotalCents} />
          {quote.discountCents > 0 && <Row label={discountLabel(quote)} cents={-quote.discountCents} />}
          {quote.taxes
            .filter(({ tax }) => tax > 0)
            .map((tax) => (
              <Row key={tax.taxCodeId} label={formatTax(tax)} cents={tax.tax} />
            ))}
          <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line-2 pt-3">
            <dt className="font-semibold">Total</dt>
            <dd className="text-2xl font-semibold tabular-nums">{formatMoney(quote.totalCents)}</dd>
          </div>
        </dl>
        <Part title="Payment schedule">
          <dl>
            {quote.depositCents > 0 && (
              <Row label={`${quote.depositName ?? defaultDepositName}, when you accept`} cents={quote.depositCents} />
            )}
            {quote.instalments.map(({ dueOn, amountCents }, index) => (
              // oxlint-disable-next-line no-array-index-key -- two instalments may be alike
              <Row key={index} label={`${labels[index]}: ${formatDay(dueOn)}`} cents={amountCents} />
            ))}
          </dl>
          {quote.isBeforeSurgery && quote.surgeryDay === null && (
            <p className="pt-1 text-title leading-relaxed text-fg-2">The full amount is due before your surgery.</p>
          )}
        </Part>
        {quote.note && (
          <Part title="Please note">
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{quote.note}</p>
          </Part>
        )}
        {isOpen && (
          <Part title="Your response">
            <p className="pb-4 text-fg-2">This quote is valid until {formatDay(quote.validUntil)}.</p>
            <QuoteAnswer quote={quote} onAccept={onAccept} onDecline={onDecline} onStale={onStale} />
          </Part>
        )}
      </DialogBody>
    </Dialog>
  )
}

function Outcome({ quote: { shownStatus, acceptedAt, acceptedName, validUntil } }: { quote: QuoteData }) {
  const { timeZone, phone } = usePractice()
  if (shownStatus === 'accepted')
    return (
      <span>
        Accepted{acceptedAt && ` on ${formatDate(acceptedAt, timeZone)}`}
        {acceptedName && `, signed ${acceptedName}`}. Thank you. We will contact you about what comes next.
      </span>
    )
  const call = phone ? `Please call us at ${phone} if you have a question.` : 'Please call us if you have a question.'
  return shownStatus === 'declined' ? `You declined this quote. ${call}` : `This quote was valid until ${formatDay(validUntil)}. ${call}`
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-5 border-t border-line pt-4">
    <h3 className="pb-2 font-semibold">{title}</h3>
    {children}
  </section>
)

const Row = ({ label, cents }: { label: string; cents: number }) => (
  <div className="flex items-baseline justify-between gap-4 py-1">
    <dt className="min-w-0 text-fg-2">{label}</dt>
    <dd className="flex-none tabular-nums">{formatMoney(cents)}</dd>
  </div>
)
