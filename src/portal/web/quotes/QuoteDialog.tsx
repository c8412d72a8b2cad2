import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { usePractice } from '../../../ui/client/session.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { formatCents, formatMediumDay, inLanguage } from '../../../shared/translations.ts'
import { useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { patientTax } from '../../../billing/pos/patient-rules.ts'
import { patientDiscount, patientInstalments, patientQuoteName } from '../../../billing/quotes/patient-rules.ts'
import { quoteTexts } from '../../../billing/quotes/texts.ts'
import type { QuoteData } from '../calls.ts'
import { useOpener } from '../useOpener.ts'
import { QuoteAnswer } from './QuoteAnswer.tsx'
import { portalQuoteTexts, type QuoteProblem } from './texts.ts'

interface QuoteDialogProps {
  quote: QuoteData
  onAccept: (name: string) => Promise<unknown>
  onDecline: (reason: string) => Promise<unknown>
  /** Called when a response is refused, because the displayed quote may be outdated. */
  onStale: (problem: QuoteProblem) => void
  onClose: () => void
}

/** A quote's details, and the form to accept or decline it. */
export default function QuoteDialog({ quote, onAccept, onDecline, onStale, onClose }: QuoteDialogProps) {
  const language = useLanguage()
  const t = portalQuoteTexts[language]
  const q = quoteTexts[language]
  const frame = useTexts(frameTexts)
  const toOpener = useOpener()
  const isOpen = quote.shownStatus === 'sent'
  const labels = patientInstalments(quote, quote.surgeryDay, language)
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
      title={<span className="[overflow-wrap:anywhere]">{inLanguage(language, quote.title, quote.titleFr)}</span>}
      head={{ aside: patientQuoteName(quote, language), isRoomy: true, closeLabel: frame('close') }}
      size="md"
    >
      <DialogBody className="text-portal">
        {!isOpen && (
          <p ref={outcome} tabIndex={-1} role="status" className="flex gap-3 rounded-lg bg-subtle p-4 font-medium outline-none">
            {quote.shownStatus === 'accepted' && <CircleCheck aria-hidden="true" className="mt-1 size-5! flex-none text-success-fg" />}
            <Outcome quote={quote} />
          </p>
        )}
        {/* The focus: in the field for the name it would scroll past what is quoted. */}
        <ul aria-label={t('items')} tabIndex={-1} data-autofocus className="outline-none [&>li]:border-b [&>li]:border-line">
          {quote.lines.map((line, index) => (
            // oxlint-disable-next-line no-array-index-key -- the lines of a quote that was sent never change
            <li key={index} className="flex items-baseline gap-4 py-3">
              <div className="min-w-0 flex-1">
                <p className="font-medium [overflow-wrap:anywhere]">{inLanguage(language, line.words, line.wordsFr)}</p>
                <p className="text-title leading-relaxed text-fg-2 tabular-nums empty:hidden">
                  {[
                    line.quantity > 1 && `${line.quantity} × ${formatCents(line.unitPriceCents, language)}`,
                    line.exemptReason && q('exempt', { reason: line.exemptReason }),
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </p>
              </div>
              <span className="flex-none tabular-nums">{formatCents(line.amountCents, language)}</span>
            </li>
          ))}
        </ul>
        <dl className="pt-3">
          <Row label={q('subtotal')} cents={quote.subtotalCents} />
          {quote.discountCents > 0 && <Row label={patientDiscount(quote, language)} cents={-quote.discountCents} />}
          {quote.taxes
            .filter(({ tax }) => tax > 0)
            .map((tax) => (
              <Row key={tax.taxCodeId} label={patientTax(tax, language)} cents={tax.tax} />
            ))}
          <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line-2 pt-3">
            <dt className="font-semibold">{q('total')}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{formatCents(quote.totalCents, language)}</dd>
          </div>
        </dl>
        <Part title={q('schedule')}>
          <dl>
            {quote.depositCents > 0 && (
              <Row label={t('whenAccepted', { payment: quote.depositName ?? q('deposit') })} cents={quote.depositCents} />
            )}
            {quote.instalments.map(({ dueOn, amountCents }, index) => (
              // oxlint-disable-next-line no-array-index-key -- two instalments may be alike
              <Row key={index} label={t('due', { payment: labels[index]!, day: formatMediumDay(dueOn, language) })} cents={amountCents} />
            ))}
          </dl>
          {quote.isBeforeSurgery && quote.surgeryDay === null && (
            <p className="pt-1 text-title leading-relaxed text-fg-2">{t('beforeSurgery')}</p>
          )}
        </Part>
        {quote.note && (
          <Part title={q('note')}>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{quote.note}</p>
          </Part>
        )}
        {isOpen && (
          <Part title={t('response')}>
            <p className="pb-4 text-fg-2">{t('responseUntil', { day: formatMediumDay(quote.validUntil, language) })}</p>
            <QuoteAnswer quote={quote} onAccept={onAccept} onDecline={onDecline} onStale={onStale} />
          </Part>
        )}
      </DialogBody>
    </Dialog>
  )
}

function Outcome({ quote: { shownStatus, acceptedAt, acceptedName, validUntil } }: { quote: QuoteData }) {
  const { timeZone, phone } = usePractice()
  const language = useLanguage()
  const t = portalQuoteTexts[language]
  if (shownStatus === 'accepted') {
    if (!acceptedAt) return t('outcome.accepted')
    const day = formatMediumDay(acceptedAt, language, timeZone)
    return <span>{acceptedName ? t('outcome.acceptedBy', { day, name: acceptedName }) : t('outcome.acceptedOn', { day })}</span>
  }
  const outcome = shownStatus === 'declined' ? t('outcome.declined') : t('outcome.expired', { day: formatMediumDay(validUntil, language) })
  return `${outcome} ${phone ? t('questionAt', { phone }) : t('question')}`
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-5 border-t border-line pt-4">
    <h3 className="pb-2 font-semibold">{title}</h3>
    {children}
  </section>
)

function Row({ label, cents }: { label: string; cents: number }) {
  const language = useLanguage()
  return (
    <div className="flex items-baseline justify-between gap-4 py-1">
      <dt className="min-w-0 text-fg-2">{label}</dt>
      <dd className="flex-none tabular-nums">{formatCents(cents, language)}</dd>
    </div>
  )
}
