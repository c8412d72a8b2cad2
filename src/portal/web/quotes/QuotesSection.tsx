import { useState } from 'react'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Badge, type BadgeTone } from '../../../ui/display/Badge.tsx'
import { formatDate, formatDay, formatMoney } from '../../../ui/format.ts'
import { quoteName } from '../../../billing/quotes/rules.ts'
import { isSessionOver, type PatientSession, type QuoteData } from '../calls.ts'
import { LazyDialog } from '../LazyDialog.tsx'
import { quoteDialog, viewerDialog } from '../lazy-dialogs.ts'
import { Card, ErrorLine, PortalButton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { type TrackedCall, useQuotes } from './useQuotes.ts'

const states: Record<QuoteData['shownStatus'], { label: string; tone: BadgeTone }> = {
  sent: { label: 'Awaiting your response', tone: 'accent' },
  accepted: { label: 'Accepted', tone: 'success' },
  declined: { label: 'Declined', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'warning' },
}

/** The patient's quotes; hidden if there are none. */
export function QuotesSection({ session, callTracked }: { session: PatientSession; callTracked: TrackedCall }) {
  const { quotes, refetch, fileOf, accept, decline } = useQuotes(session, callTracked)
  const [opened, setOpened] = useState<{ id: string; as: 'words' | 'pdf' } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (quotes === null) {
    return (
      <Card aria-labelledby="your-quotes">
        <h2 id="your-quotes" className={sectionTitle}>
          Your Quotes
        </h2>
        <ErrorLine className="pt-3 pb-4">Couldn’t load your quotes.</ErrorLine>
        <PortalButton
          busy={isBusy}
          busyLabel="Trying…"
          onClick={() => {
            setBusy(true)
            void refetch()
              .catch(() => undefined)
              .finally(() => setBusy(false))
          }}
        >
          Try again
        </PortalButton>
      </Card>
    )
  }
  if (quotes.length === 0 && error === null) return null
  const quote = quotes.find(({ id }) => id === opened?.id)
  const pdf = quote && { id: quote.id, name: `${quoteName(quote)}.pdf`, type: 'application/pdf' as const, previewUrl: null }

  /** Reloads the quotes after a refused response. If the quote is gone, shows the refusal instead. */
  async function checkAgain(id: string, message: string) {
    const after = await refetch().catch(() => null)
    if (!after || after.some((quoteInList) => quoteInList.id === id)) return
    setOpened(null)
    setError(message)
  }

  async function download(id: string, name: string) {
    setError(null)
    try {
      downloadBlob(await fileOf(id), name)
    } catch (refused) {
      if (!isSessionOver(refused)) setError('Couldn’t download the PDF. Please try again.')
    }
  }

  return (
    <Card aria-labelledby="your-quotes">
      <h2 id="your-quotes" className={sectionTitle}>
        Your Quotes
      </h2>
      {error && <ErrorLine className="pt-3">{error}</ErrorLine>}
      <ul className="pt-4 [&>li]:border-t [&>li]:border-line [&>li:last-child]:pb-0">
        {quotes.map((quoteInList) => (
          <QuoteRow
            key={quoteInList.id}
            quote={quoteInList}
            onRead={() => {
              setError(null)
              setOpened({ id: quoteInList.id, as: 'words' })
            }}
            onPdf={() => setOpened({ id: quoteInList.id, as: 'pdf' })}
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
              onStale={(message) => void checkAgain(quote.id, message)}
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
    </Card>
  )
}

function QuoteRow({ quote, onRead, onPdf }: { quote: QuoteData; onRead: () => void; onPdf: () => void }) {
  const { timeZone } = usePractice()
  const { label, tone } = states[quote.shownStatus]
  const name = quoteName(quote)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-4 py-5 md:flex-nowrap">
      <div className="min-w-0 flex-1 basis-full md:basis-0">
        <h3 className="text-portal font-semibold [overflow-wrap:anywhere]">{quote.title}</h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-title leading-relaxed text-fg-2">
          <span className="font-medium text-fg tabular-nums">{formatMoney(quote.totalCents)}</span>
          <span>
            {name}, {dayOf(quote, timeZone)}
          </span>
          <Badge tone={tone} className="h-6.5 px-2 text-md">
            {label}
          </Badge>
        </p>
      </div>
      <div className="grid w-full flex-none grid-cols-2 gap-2 md:flex md:w-auto">
        <PortalButton aria-label={`Read ${name}`} onClick={onRead}>
          {quote.shownStatus === 'sent' ? 'Review quote' : 'Read'}
        </PortalButton>
        <PortalButton aria-label={`PDF of ${name}`} onClick={onPdf}>
          PDF
        </PortalButton>
      </div>
    </li>
  )
}

function dayOf({ shownStatus, validUntil, acceptedAt, endedAt }: QuoteData, timeZone: string): string {
  if (shownStatus === 'accepted' && acceptedAt) return `accepted ${formatDate(acceptedAt, timeZone)}`
  if (shownStatus === 'declined' && endedAt) return `declined ${formatDate(endedAt, timeZone)}`
  return shownStatus === 'expired' ? `was valid until ${formatDay(validUntil)}` : `valid until ${formatDay(validUntil)}`
}
