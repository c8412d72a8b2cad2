import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Inbox, PenLine } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import type { Clock } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { rowsOf, usePages } from '../../../../ui/client/usePages.ts'
import { ConversationLine } from '../list/ConversationLine.tsx'

const NewMessageDialog = lazyDialog(
  () => import('./NewMessageDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface PatientMessagesProps {
  patient: { id: string; firstName: string; lastName: string }
  clock: Clock
}

/** A patient's conversations, including archived ones, newest first; each opens in the inbox. For users with inbox access. */
export function PatientMessages({ patient, clock }: PatientMessagesProps) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [isWriting, setWriting] = useState(false)
  const { list, older } = usePages(orpc.inbox.conversations, { contactId: patient.id, show: 'all' })
  useLive(['inbox'], () => void cache.invalidateQueries({ queryKey: orpc.inbox.key() }), { debounceMs: 300 })
  const rows = rowsOf(list.data)
  const write = (
    <Button icon={<PenLine />} onPointerEnter={NewMessageDialog.prepare} onClick={() => setWriting(true)}>
      New message
    </Button>
  )
  return (
    <>
      {!list.data ? (
        list.error ? (
          <ErrorState title="Couldn’t load messages" onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {messageOf(list.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={3} rowClassName="h-20" />
        )
      ) : rows.length === 0 ? (
        <EmptyState icon={<Inbox />} title="No messages yet" actions={write}>
          Messages between {patient.firstName} and the clinic appear here.
        </EmptyState>
      ) : (
        <>
          <div className="flex justify-end px-4 py-3 md:px-6">{write}</div>
          <ul aria-label="Conversations" className="border-t border-line md:[&_button]:px-6">
            {rows.map((row) => (
              <li key={row.id} className="h-20">
                <ConversationLine
                  row={row}
                  isOpen={false}
                  isCurrent={false}
                  clock={clock}
                  onOpen={() =>
                    void navigate({
                      to: '/inbox',
                      search: { conversation: row.id, ...(row.status === 'archived' ? { show: 'archived' as const } : {}) },
                    })
                  }
                />
              </li>
            ))}
          </ul>
          {list.hasNextPage && (
            <div className="flex flex-wrap items-center gap-3 px-4 py-3 md:px-6">
              {list.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older ones.</p>}
              <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
                Show older
              </Button>
            </div>
          )}
        </>
      )}
      {isWriting && <NewMessageDialog patient={patient} onClose={() => setWriting(false)} />}
    </>
  )
}
