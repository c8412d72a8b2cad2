import { Forward, MailQuestion, PenLine, Reply, ReplyAll } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf, statusOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { PatientPanel } from '../../../../crm/contacts/web/embed/PatientPanel.tsx'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { useUnsavedDrafts } from '../compose/draft-stores.ts'
import type { FolderRow } from '../mailbox-data.ts'
import type { Actions } from '../useActions.ts'
import { useDrafts, useThread } from '../useMailbox.ts'
import { type AnswerKind, answersTo } from './answers.ts'
import { Messages } from './Messages.tsx'
import { ThreadHead } from './ThreadHead.tsx'
import { useThreadKeys } from './useThreadKeys.ts'

interface ThreadProps {
  id: string
  own: string
  isConnected: boolean
  folders: readonly FolderRow[]
  hasPanel: boolean
  actions: Actions
  /** On a phone: back to the list. */
  onBack: (() => void) | undefined
  /** Closes it. */
  onClose: () => void
  /** Called when it left the list. */
  onGone: (id: string) => void
  draft: string | undefined
  onDraft: (id: string) => void
  /** The draft below the thread. */
  composer: ReactNode
}

/** A thread: header, emails, reply and patient. */
export function Thread({
  id,
  own,
  isConnected,
  folders,
  hasPanel,
  actions,
  onBack,
  onClose,
  onGone,
  draft,
  onDraft,
  composer,
}: ThreadProps) {
  const clock = useClock()
  const directory = useDirectory()
  const query = useThread(id, isConnected)
  const drafts = useDrafts().data ?? []
  const unsaved = useUnsavedDrafts()
  const [isHeldUnread, setHeldUnread] = useState(false)
  const [showsPatient, setShowsPatient] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const reply = useRef<HTMLButtonElement>(null)
  const thread = query.data
  const answers = thread && answersTo(thread, own, drafts, unsaved)
  const liesIn = (role: FolderRow['role']) => folders.some((folder) => folder.role === role && thread?.folders.includes(folder.id))
  const [isInInbox, isInTrash] = [liesIn('inbox'), liesIn('trash')]

  function move(place: 'archive' | 'trash' | 'inbox') {
    // The list still has the thread and the next one.
    if (place !== 'inbox' || isInTrash) onGone(id)
    void actions.move(id, place, isInInbox ? 'inbox' : isInTrash ? 'trash' : 'archive')
  }
  const archive = () => move(isInInbox ? 'archive' : 'inbox')
  const trash = isInTrash ? undefined : () => move('trash')
  function markUnread() {
    setHeldUnread(true)
    void actions.markUnread(id)
  }
  /** Runs once: a refused request would be refused again every second. */
  async function seen() {
    if (!(await actions.markRead(id))) setHeldUnread(true)
  }
  function begin(kind: AnswerKind) {
    const begun = answers?.begin(kind, draft)
    if (begun) onDraft(begun)
  }
  const isOpen = thread !== undefined
  useThreadKeys({
    archive: isOpen ? archive : undefined,
    trash: isOpen ? trash : undefined,
    markUnread: () => isOpen && markUnread(),
    reply: () => begin('reply'),
    replyAll: () => begin('replyAll'),
    forward: () => begin('forward'),
    back: onClose,
  })

  // Where the thread replaces the list, the focus moves too.
  const isAlone = onBack !== undefined
  useEffect(() => {
    if (isOpen && isAlone) heading.current?.focus({ preventScroll: true })
  }, [isOpen, isAlone])
  const hadDraft = useRef(draft !== undefined)
  useEffect(() => {
    if (hadDraft.current && draft === undefined) reply.current?.focus({ preventScroll: true })
    hadDraft.current = draft !== undefined
  }, [draft])

  if (!thread) {
    const isMissing = statusOf(query.error) === 404
    return (
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex min-h-0 flex-1 flex-col">
          {isMissing ? (
            <EmptyState
              icon={<MailQuestion />}
              title="This thread does not exist"
              className="my-auto"
              actions={<Button onClick={onClose}>Back to the list</Button>}
            >
              It was deleted, or it is in another mailbox.
            </EmptyState>
          ) : query.error ? (
            <ErrorState
              title="Couldn’t load the thread"
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
              className="my-auto"
            >
              {messageOf(query.error)}
            </ErrorState>
          ) : isConnected ? (
            <SkeletonRows rows={6} rowClassName="h-20" />
          ) : (
            <EmptyState icon={<MailQuestion />} title="The thread is not here" className="my-auto">
              It shows once your mailbox is connected again.
            </EmptyState>
          )}
        </div>
        {composer}
      </div>
    )
  }

  const patient = thread.contact ?? thread.known[0]?.contact
  // On a phone, the composer fills the page.
  const isWritingAlone = isAlone && composer !== null
  const panel = patient && <PatientPanel key={patient.id} contact={patient} directory={directory} clock={clock} />
  return (
    <>
      <section aria-label={`Thread: ${thread.subject}`} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {!isWritingAlone && (
          <ThreadHead
            thread={thread}
            own={own}
            actions={actions}
            heading={heading}
            onBack={onBack}
            onArchive={isInInbox ? archive : undefined}
            onInbox={isInInbox ? undefined : archive}
            onTrash={trash}
            onMarkUnread={markUnread}
            onPatient={patient && !hasPanel ? () => setShowsPatient(true) : undefined}
          />
        )}
        {!isWritingAlone && <Messages thread={thread} own={own} clock={clock} isHeldUnread={isHeldUnread} onSeen={() => void seen()} />}
        {composer ?? (
          <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-4 py-2.5">
            <Button ref={reply} icon={<Reply />} onClick={() => begin('reply')}>
              Reply
            </Button>
            {answers?.hasOthers && (
              <Button icon={<ReplyAll />} onClick={() => begin('replyAll')}>
                Reply to all
              </Button>
            )}
            <Button icon={<Forward />} onClick={() => begin('forward')}>
              Forward
            </Button>
            {answers?.begun && (
              <Button variant="quiet" icon={<PenLine />} className="ml-auto" onClick={() => onDraft(answers.begun!.id)}>
                Continue the draft
              </Button>
            )}
          </footer>
        )}
      </section>
      {hasPanel && panel && (
        <aside aria-label="The patient" className="w-75 flex-none overflow-y-auto border-l border-line">
          {panel}
        </aside>
      )}
      {showsPatient && !hasPanel && panel && (
        <SideDrawer title="The patient" onClose={() => setShowsPatient(false)}>
          <div className="-mx-5 -my-5">{panel}</div>
        </SideDrawer>
      )}
    </>
  )
}
