import { type ReactNode, useRef, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Badge, type BadgeTone } from '../../../ui/display/Badge.tsx'
import { formatCents, formatMediumDay, inLanguage, type Language } from '../../../shared/translations.ts'
import { useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { patientQuoteName } from '../../../billing/quotes/patient-rules.ts'
import { isSessionOver, type QuoteData } from '../calls.ts'
import { LazyDialog } from '../LazyDialog.tsx'
import { quoteDialog, viewerDialog } from '../lazy-dialogs.ts'
import { PayLink } from '../PayLink.tsx'
import { Card, ErrorLine, PortalButton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { portalQuoteTexts, type QuoteProblem } from './texts.ts'
import { useFocusOnArrival } from '../useFocusOnArrival.ts'
import type { PatientQuotes } from './useQuotes.ts'

const tones: Record<QuoteData['shownStatus'], BadgeTone> = { sent: 'accent', accepted: 'success', declined: 'neutral', expired: 'warning' }

interface QuotesSectionProps {
  quotes: PatientQuotes
  /** It is the page; otherwise it is hidden if there are none. */
  isAlone?: boolean
  /** The quote that is opened at once, by its id. */
  openFirst?: string | null
}

/** The patient's quotes. */
export function QuotesSection({ quotes: own, isAlone = false, openFirst = null }: QuotesSectionProps) {
  const language = useLanguage()
  const t = portalQuoteTexts[language]
  const { quotes, refetch, fileOf, accept, decline } = own
  const [opened, setOpened] = useState<{ id: string; as: 'words' | 'pdf' } | null>(
    openFirst === null ? null : { id: openFirst, as: 'words' },
  )
  const [error, setError] = useState<QuoteProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (quotes === null) {
    return (
      <TitledCard isAlone={isAlone}>
        <ErrorLine className="pb-4">{t('failed')}</ErrorLine>
        <PortalButton
          busy={isBusy}
          busyLabel={t('trying')}
          onClick={() => {
            setBusy(true)
            void refetch()
              .catch(() => undefined)
              .finally(() => setBusy(false))
          }}
        >
          {frameTexts[language]('tryAgain')}
        </PortalButton>
      </TitledCard>
    )
  }
  if (quotes.length === 0 && error === null && !isAlone) return null
  const quote = quotes.find(({ id }) => id === opened?.id)
  const pdf = quote && {
    id: quote.id,
    name: `${patientQuoteName(quote, language)}.pdf`,
    type: 'application/pdf' as const,
    previewUrl: null,
  }

  /** Reloads the quotes after a refused response. If the quote is gone, shows the refusal instead. */
  async function checkAgain(id: string, problem: QuoteProblem) {
    const after = await refetch().catch(() => null)
    if (!after || after.some((quoteInList) => quoteInList.id === id)) return
    setOpened(null)
    setError(problem)
  }

  async function download(id: string, name: string) {
    setError(null)
    try {
      downloadBlob(await fileOf(id), name)
    } catch (refused) {
      if (!isSessionOver(refused)) setError('download')
    }
  }

  return (
    <TitledCard isAlone={isAlone}>
      {error && <ErrorLine className="pb-4">{t(`problems.${error}`)}</ErrorLine>}
      {quotes.length === 0 && <p className="text-portal text-fg-2">{t('none')}</p>}
      <ul className="[&>li]:border-t [&>li]:border-line [&>li:first-child]:border-t-0 [&>li:first-child]:pt-0 [&>li:last-child]:pb-0">
        {quotes.map((quoteInList) => (
          <QuoteRow
            key={quoteInList.id}
            quote={quoteInList}
            onRead={() => {
              setError(null)
              setOpened({ id: quoteInList.id, as: 'words' })
            }}
            onPdf={() => setOpened({ id: quoteInList.id, as: 'pdf' })}
            onPaid={() => void refetch().catch(() => undefined)}
          />
        ))}
      </ul>
      {quote && opened?.as === 'words' && (
        <LazyDialog code={quoteDialog} onFail={() => setOpened(null)}>
          {({ default: QuoteDialog }) => (
            <QuoteDialog
              quote={quote}
              onAccept={(name) => accept(quote, name)}
              onDecline={(reason) => decline(quote, reason)}
              onStale={(problem) => void checkAgain(quote.id, problem)}
              onClose={() => setOpened(null)}
            />
          )}
        </LazyDialog>
      )}
      {pdf && opened?.as === 'pdf' && (
        <LazyDialog code={viewerDialog} onFail={() => setOpened(null)}>
          {({ default: ViewerDialog }) => (
            <ViewerDialog
              document={pdf}
              fileOf={({ id }) => fileOf(id)}
              onDownload={({ id, name }) => download(id, name)}
              onClose={() => setOpened(null)}
            />
          )}
        </LazyDialog>
      )}
    </TitledCard>
  )
}

/** The title is in the card, or above it if it is the page's. */
function TitledCard({ isAlone, children }: { isAlone: boolean; children: ReactNode }) {
  const t = useTexts(portalQuoteTexts)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(heading, isAlone)
  if (isAlone)
    return (
      <>
        <h1 ref={heading} tabIndex={-1} id="your-quotes" className="text-3xl font-semibold outline-none md:text-4xl">
          {t('title')}
        </h1>
        <Card aria-labelledby="your-quotes" className="mt-6">
          {children}
        </Card>
      </>
    )
  return (
    <Card aria-labelledby="your-quotes">
      <h2 id="your-quotes" className={cn(sectionTitle, 'pb-4')}>
        {t('title')}
      </h2>
      {children}
    </Card>
  )
}

interface QuoteRowProps {
  quote: QuoteData
  onRead: () => void
  onPdf: () => void
  onPaid: () => void
}

function QuoteRow({ quote, onRead, onPdf, onPaid }: QuoteRowProps) {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = portalQuoteTexts[language]
  const name = patientQuoteName(quote, language)
  const dueOf = ({ dueCents }: NonNullable<QuoteData['payment']>) => formatCents(dueCents, language)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-4 py-5 md:flex-nowrap">
      <div className="min-w-0 flex-1 basis-full md:basis-0">
        <h3 className="text-portal font-semibold [overflow-wrap:anywhere]">{inLanguage(language, quote.title, quote.titleFr)}</h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-title leading-relaxed text-fg-2">
          <span className="font-medium text-fg tabular-nums">{formatCents(quote.totalCents, language)}</span>
          <span>{dayOf(quote, name, language, timeZone)}</span>
          <Badge tone={tones[quote.shownStatus]} className="h-6.5 px-2 text-md">
            {t(`states.${quote.shownStatus}`)}
          </Badge>
        </p>
      </div>
      <div className="grid w-full flex-none grid-cols-2 gap-2 md:flex md:w-auto">
        {quote.payment && (
          <div className="col-span-2 grid">
            <PayLink
              path={quote.payment.path}
              variant="filled"
              aria-label={t('payDueName', { amount: dueOf(quote.payment), name })}
              onBack={onPaid}
            >
              {t('payDue', { amount: dueOf(quote.payment) })}
            </PayLink>
          </div>
        )}
        <PortalButton aria-label={t(quote.shownStatus === 'sent' ? 'reviewName' : 'readName', { name })} onClick={onRead}>
          {quote.shownStatus === 'sent' ? t('review') : t('read')}
        </PortalButton>
        <PortalButton aria-label={t('pdfName', { name })} onClick={onPdf}>
          {t('pdf')}
        </PortalButton>
      </div>
    </li>
  )
}

function dayOf({ shownStatus, validUntil, acceptedAt, endedAt }: QuoteData, name: string, language: Language, timeZone: string): string {
  const t = portalQuoteTexts[language]
  if (shownStatus === 'accepted' && acceptedAt) return t('acceptedOn', { name, day: formatMediumDay(acceptedAt, language, timeZone) })
  if (shownStatus === 'declined' && endedAt) return t('declinedOn', { name, day: formatMediumDay(endedAt, language, timeZone) })
  const day = formatMediumDay(validUntil, language)
  return shownStatus === 'expired' ? t('wasValidUntil', { name, day }) : t('validUntil', { name, day })
}
