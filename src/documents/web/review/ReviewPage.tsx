import { Link } from '@tanstack/react-router'
import { CircleCheck, Lock } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { messageOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useClock } from '../../../ui/client/session.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { formatCount } from '../../../ui/format.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import type { WaitingDocument } from '../document-data.ts'
import { useWaiting } from '../embed/useDocuments.ts'
import { ReviewButtons } from '../ReviewButtons.tsx'
import { useDocumentChange } from '../useDocumentChange.ts'
import { reviewElement, ReviewRow } from './ReviewRow.tsx'
import { useReviewKeys } from './useReviewKeys.ts'

const Preview = lazyDialog(
  () => import('../DocumentPreview.tsx'),
  ({ onClose }) => onClose(),
)
const RejectDialog = lazyDialog(
  () => import('../RejectDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** /documents: what patients have sent and no one has looked at, the oldest first. */
export default function ReviewPage(): ReactNode {
  const { waiting, isAllowed } = useWaiting()
  return (
    <>
      <TopbarTitle title="Documents to review" section="Documents" />
      {!isAllowed ? (
        <EmptyState icon={<Lock />} title="Billing sees no documents">
          Administrators, sales, providers and the front desk review what patients send.
        </EmptyState>
      ) : waiting.data ? (
        <Queue documents={waiting.data.data} count={waiting.data.total} />
      ) : waiting.error ? (
        <ErrorState title="Couldn’t load the documents" onRetry={() => void waiting.refetch()} retrying={waiting.isFetching}>
          {messageOf(waiting.error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={8} className="min-h-0 flex-1 overflow-hidden" />
      )}
    </>
  )
}

function Queue({ documents, count }: { documents: readonly WaitingDocument[]; count: number }) {
  const clock = useClock()
  const { people } = useDirectory()
  const acts = useDocumentChange()
  /** The row in hand: which, and where it stood. One that someone else takes out of it leaves none in hand. */
  const [hand, setHand] = useState<{ id: string; at: number } | null>(null)
  const [opened, setOpened] = useState<WaitingDocument | null>(null)
  const [rejecting, setRejecting] = useState<WaitingDocument | null>(null)
  const current = documents.find(({ id }) => id === hand?.id) ?? null

  function take(document: WaitingDocument | undefined) {
    setHand(document ? { id: document.id, at: documents.indexOf(document) } : null)
  }
  function step(by: 1 | -1) {
    const at = current ? documents.indexOf(current) + by : (hand?.at ?? 0)
    const next = documents[Math.min(Math.max(at, 0), documents.length - 1)]
    take(next)
    if (next) focusRow(next.id)
  }

  /** After a decision the next one is in hand, and in sight where the one before was. */
  function goOn(from: WaitingDocument) {
    const at = documents.findIndex(({ id }) => id === from.id)
    const next = documents[at + 1] ?? documents[at - 1]
    setHand(next ? { id: next.id, at } : null)
    setOpened((now) => (now?.id === from.id ? (next ?? null) : now))
  }
  /** Those whose answer is on its way: a key that is pressed twice decides once. */
  const deciding = useRef(new Set<string>())
  async function decide(document: WaitingDocument, reason: string | null) {
    if (deciding.current.has(document.id)) return null
    deciding.current.add(document.id)
    const outcome = await acts.review(document, reason === null ? 'accepted' : 'rejected', reason)
    deciding.current.delete(document.id)
    if (outcome && 'saved' in outcome) goOn(document)
    return outcome
  }

  // What is certain to be opened soon is not waited for.
  useEffect(() => {
    Preview.prepare()
    RejectDialog.prepare()
  }, [])

  // Anyone who decides by the keyboard goes on in the next row, though the button that was pressed is gone.
  const inHand = hand?.id
  useEffect(() => {
    if (inHand !== undefined && document.activeElement === document.body) focusRow(inHand)
  }, [inHand, documents, rejecting, opened])

  useReviewKeys({
    step,
    open: () => current && setOpened(current),
    accept: () => current && void decide(current, null),
    reject: () => current && setRejecting(current),
  })

  const shown = opened && (documents.find(({ id }) => id === opened.id) ?? opened)
  const isOpen = shown !== null && documents.includes(shown)
  return (
    <>
      {documents.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="Nothing to review">
          What patients send through the portal waits here until someone has looked at it.
        </EmptyState>
      ) : (
        <>
          <p className="flex h-10 flex-none items-center border-b border-line px-4 text-sm text-fg-2 tabular-nums md:px-6">
            {formatTotalCount(count, documents.length)}
          </p>
          <ul aria-label="Documents to review" className="relative min-h-0 flex-1 overflow-y-auto">
            {documents.map((document) => (
              <ReviewRow
                key={document.id}
                document={document}
                clock={clock}
                isCurrent={document.id === current?.id}
                onOpen={() => {
                  take(document)
                  setOpened(document)
                }}
                onAccept={() => void decide(document, null)}
                onReject={() => {
                  take(document)
                  setRejecting(document)
                }}
              />
            ))}
          </ul>
        </>
      )}
      {shown && (
        <Preview
          document={shown}
          documents={documents}
          clock={clock}
          whose={
            <>
              <Link
                to="/contacts/$id"
                params={{ id: shown.contact.id }}
                search={{ tab: 'documents' }}
                className="rounded-xs text-accent-fg hover:underline"
              >
                {fullName(shown.contact)}
              </Link>
              {' · '}
            </>
          }
          actions={
            isOpen ? (
              <ReviewButtons document={shown} onAccept={() => void decide(shown, null)} onReject={() => setRejecting(shown)} />
            ) : (
              <p className="text-sm text-fg-2">Reviewed in the meantime by someone else</p>
            )
          }
          keys={isOpen ? { a: () => void decide(shown, null), r: () => setRejecting(shown) } : undefined}
          onShow={(next) => {
            const document = documents.find(({ id }) => id === next.id)
            take(document)
            setOpened(document ?? null)
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {rejecting && (
        <RejectDialog
          document={rejecting}
          people={people}
          onReject={(document, reason) => decide({ ...document, contact: rejecting.contact }, reason)}
          onClose={() => setRejecting(null)}
        />
      )}
    </>
  )
}

function focusRow(id: string): void {
  const row = document.getElementById(reviewElement(id))
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

function formatTotalCount(count: number, shown: number): string {
  const all = `${formatCount(count)} ${count === 1 ? 'document waits' : 'documents wait'}`
  return count > shown ? `${all}, the oldest ${formatCount(shown)} are here` : all
}
