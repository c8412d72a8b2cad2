import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { FileText, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { quoteName } from '../../rules.ts'
import { useQuotes } from '../useQuotes.ts'
import { QuoteEditor } from './QuoteEditor.tsx'

/** /contacts/{id}/quotes/new and /contacts/{id}/quotes/{quoteId}/edit. */
export default function QuotePage(): ReactNode {
  const { id, quoteId } = useParams({ strict: false })
  const may = usePermission()
  return (
    <>
      <TopbarTitle title={quoteId === undefined ? 'New quote' : 'Edit quote'} />
      {may('quotes.create') ? (
        // A different quote resets the editor.
        <Loaded key={`${id} ${quoteId}`} contactId={id!} quoteId={quoteId} />
      ) : (
        <EmptyState icon={<Lock />} title="Your role doesn’t write quotes" className="my-auto pb-24">
          Sales, the front desk, billing and administrators do.
        </EmptyState>
      )}
    </>
  )
}

function Loaded({ contactId, quoteId }: { contactId: string; quoteId: string | undefined }) {
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const choices = useQuery(orpc.quotes.choices.queryOptions({ input: { contactId }, staleTime: 60_000 }))
  const taxCodes = useQuery(orpc.pos.taxCodes.queryOptions({ staleTime: 60_000 }))
  const quotes = useQuotes(contactId)
  const all = [contact, choices, taxCodes, quotes]
  const failed = all.find(({ data, error }) => data === undefined && error)
  if (failed?.error) {
    return statusOf(failed.error) === 404 || statusOf(failed.error) === 422 ? (
      <EmptyState title="Patient not found" className="my-auto pb-24">
        They may have been deleted, or merged into another patient.
      </EmptyState>
    ) : (
      <ErrorState
        title="Couldn’t load the quote"
        onRetry={() => {
          for (const query of all) if (query.error) void query.refetch()
        }}
        retrying={failed.isFetching}
      >
        {messageOf(failed.error)}
      </ErrorState>
    )
  }
  if (!contact.data || !choices.data || !taxCodes.data || !quotes.data) return <SkeletonRows rows={8} className="p-4 md:p-6" />
  const { taxCodes: codes, defaultTaxCode } = taxCodes.data
  if (codes.length === 0) {
    return (
      <div className="p-4 md:p-6">
        <Alert
          tone="warning"
          title="There are no tax codes yet."
          action={<HelpLink to="quotes-and-balances#if-you-cannot-write-a-quote">What to do</HelpLink>}
        >
          Quotes are taxed like receipts, by the tax codes of QuickBooks. An administrator can connect it in Settings.
        </Alert>
      </div>
    )
  }
  const quote = quotes.data.find(({ id }) => id === quoteId) ?? null
  if (quoteId !== undefined && quote?.status !== 'draft') {
    return (
      <EmptyState
        icon={<FileText />}
        title={quote ? `${quoteName(quote)} can’t be edited` : 'Quote not found'}
        className="my-auto pb-24"
        actions={
          <Button asChild>
            <Link to="/contacts/$id" params={{ id: contactId }} search={{ tab: 'account' }}>
              Back to quotes
            </Link>
          </Button>
        }
      >
        {quote ? 'It was sent or withdrawn. A change makes a new version.' : 'It belongs to another patient, or the address is wrong.'}
      </EmptyState>
    )
  }
  return (
    <QuoteEditor
      patient={contact.data}
      quote={quote}
      versions={quote ? quotes.data.filter(({ id, number }) => number === quote.number && id !== quote.id) : []}
      choices={choices.data}
      codes={codes}
      defaultCode={(codes.find(({ Id }) => Id === defaultTaxCode) ?? codes[0]!).Id}
    />
  )
}
