import { Link } from '@tanstack/react-router'
import { CircleCheck, Lock } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { nameWithPreferred } from '../../../crm/contacts/web/embed/contact-data.ts'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { messageOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useClock } from '../../../ui/client/session.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { formatCount } from '../../../ui/format.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import type { PendingDocument } from '../document-data.ts'
import { usePendingDocuments } from '../embed/useDocuments.ts'
import { ReviewButtons } from '../ReviewButtons.tsx'
import { ReviewRow } from './ReviewRow.tsx'
import { useReviewKeys } from './useReviewKeys.ts'
import { useReviewQueue } from './useReviewQueue.ts'

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

  // Preload dialogs that will be opened soon.
  useEffect(() => {
    Preview.prepare()
    RejectDialog.prepare()
  }, [])

  const { current, opened, rejecting, setOpened, setRejecting, select, step, decide } = useReviewQueue(documents)

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
        <EmptyState
          icon={<CircleCheck />}
          title="Nothing to review"
          actions={<HelpLink to="documents#help-a-patient-into-the-portal">How patients use the portal</HelpLink>}
        >
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
          patient={
            <>
              <Link
                to="/contacts/$id"
                params={{ id: shown.contact.id }}
                search={{ tab: 'documents' }}
                className="rounded-xs text-accent-fg hover:underline"
              >
                {nameWithPreferred(shown.contact)}
              </Link>
              {' · '}
              <PatientIdentity patient={shown.contact} hidesName />
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

function formatTotalCount(count: number, shown: number): string {
  const all = `${formatCount(count)} ${count === 1 ? 'document' : 'documents'} to review`
  return count > shown ? `${all}, showing the oldest ${formatCount(shown)}` : all
}
