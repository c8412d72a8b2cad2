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
import type { PendingDocument } from '../document-data.ts'
import { usePendingDocuments } from '../embed/useDocuments.ts'
import { ReviewButtons } from '../ReviewButtons.tsx'
import { useDocumentActions } from '../useDocumentActions.ts'
import { reviewRowId, ReviewRow } from './ReviewRow.tsx'
import { useReviewKeys } from './useReviewKeys.ts'

const Preview = lazyDialog(
  () => import('../DocumentPreview.tsx'),
  ({ onClose }) => onClose(),
)
const RejectDialog = lazyDialog(
  () => import('../RejectDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** /documents: patient uploads waiting for review, oldest first. */
export default function ReviewPage(): ReactNode {
  const { pending, isAllowed } = usePendingDocuments()
  return (
    <>
      <TopbarTitle title="Documents to review" section="Documents" />
      {!isAllowed ? (
        <EmptyState icon={<Lock />} title="The billing role cannot see documents">
          Administrators, sales, providers and the front desk review patient uploads.
        </EmptyState>
      ) : pending.data ? (
        <Queue documents={pending.data.data} count={pending.data.total} />
      ) : pending.error ? (
        <ErrorState title="Couldn’t load the documents" onRetry={() => void pending.refetch()} retrying={pending.isFetching}>
          {messageOf(pending.error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={8} className="min-h-0 flex-1 overflow-hidden" />
      )}
    </>
  )
}

function Queue({ documents, count }: { documents: readonly PendingDocument[]; count: number }) {
  const clock = useClock()
  const { people } = useDirectory()
  const actions = useDocumentActions()
  /** The current row and its position. If someone else removes the document, no row is current. */
  const [currentRow, setCurrentRow] = useState<{ id: string; at: number } | null>(null)
  const [opened, setOpened] = useState<PendingDocument | null>(null)
  const [rejecting, setRejecting] = useState<PendingDocument | null>(null)
  const current = documents.find(({ id }) => id === currentRow?.id) ?? null

  function select(document: PendingDocument | undefined) {
    setCurrentRow(document ? { id: document.id, at: documents.indexOf(document) } : null)
  }
  function step(by: 1 | -1) {
    const at = current ? documents.indexOf(current) + by : (currentRow?.at ?? 0)
    const next = documents[Math.min(Math.max(at, 0), documents.length - 1)]
    select(next)
    if (next) focusRow(next.id)
  }

  /** After a decision, makes the next document current, and shows it if the decided one was open. */
  function advanceFrom(from: PendingDocument) {
    const at = documents.findIndex(({ id }) => id === from.id)
    const next = documents[at + 1] ?? documents[at - 1]
    setCurrentRow(next ? { id: next.id, at } : null)
    setOpened((now) => (now?.id === from.id ? (next ?? null) : now))
  }
  /** Decisions being sent, so that pressing a key twice decides once. */
  const deciding = useRef(new Set<string>())
  async function decide(document: PendingDocument, reason: string | null) {
    if (deciding.current.has(document.id)) return null
    deciding.current.add(document.id)
    const outcome = await actions.review(document, reason === null ? 'accepted' : 'rejected', reason)
    deciding.current.delete(document.id)
    if (outcome && 'saved' in outcome) advanceFrom(document)
    return outcome
  }

  // Preload dialogs that will be opened soon.
  useEffect(() => {
    Preview.prepare()
    RejectDialog.prepare()
  }, [])

  // Keep the focus in the list for keyboard users, because the pressed button disappears with its row.
  const currentId = currentRow?.id
  useEffect(() => {
    if (currentId !== undefined && document.activeElement === document.body) focusRow(currentId)
  }, [currentId, documents, rejecting, opened])

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
          Files that patients send through the portal appear here until someone reviews them.
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
                  select(document)
                  setOpened(document)
                }}
                onAccept={() => void decide(document, null)}
                onReject={() => {
                  select(document)
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
          patientLink={
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
              <p className="text-sm text-fg-2">Already reviewed by someone else</p>
            )
          }
          keys={isOpen ? { a: () => void decide(shown, null), r: () => setRejecting(shown) } : undefined}
          onShow={(next) => {
            const document = documents.find(({ id }) => id === next.id)
            select(document)
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
  const row = document.getElementById(reviewRowId(id))
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

function formatTotalCount(count: number, shown: number): string {
  const all = `${formatCount(count)} ${count === 1 ? 'document' : 'documents'} to review`
  return count > shown ? `${all}, showing the oldest ${formatCount(shown)}` : all
}
