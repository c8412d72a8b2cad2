import { Forward, MailQuestion, PenLine, Reply, ReplyAll } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { messageOf, statusOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { PatientPanel } from '../../../../crm/contacts/web/embed/PatientPanel.tsx'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import type { useThread } from '../useMailbox.ts'
import type { AnswerKind, Answers } from './answers.ts'
import { Messages } from './Messages.tsx'
import { ThreadHead } from './ThreadHead.tsx'
import { type OpenThreadOptions, useOpenThread } from './useOpenThread.ts'

interface ThreadProps extends OpenThreadOptions {
  /** On a phone, the thread replaces the list. */
  isAlone: boolean
  /** Whether the patient panel fits next to the thread. */
  hasPanel: boolean
}

/** A thread: header, emails, reply and patient. */
export function Thread({ id, mailbox, draft, isAlone, hasPanel, onClose, onGone }: ThreadProps) {
  const clock = useClock()
  const directory = useDirectory()
  const open = useOpenThread({ id, mailbox, draft, onClose, onGone })
  const { query, thread } = open
  const [showsPatient, setShowsPatient] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const reply = useRef<HTMLButtonElement>(null)
  useThreadFocus({ heading, reply, isAlone, isOpen: thread !== undefined, draftId: draft.id })

  const { own, isConnected } = mailbox
  const { composer } = draft
  if (!thread) {
    return (
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex min-h-0 flex-1 flex-col">
          <NoThread query={query} isConnected={isConnected} onClose={onClose} />
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
            open={open}
            heading={heading}
            onBack={isAlone ? onClose : undefined}
            onPatient={patient && !hasPanel ? () => setShowsPatient(true) : undefined}
          />
        )}
        {!isWritingAlone && (
          <Messages thread={thread} own={own} clock={clock} isHeldUnread={open.isHeldUnread} onSeen={() => void open.seen()} />
        )}
        {composer ?? <AnswerButtons reply={reply} answers={open.answers} onBegin={open.begin} onContinue={draft.onOpen} />}
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

interface ThreadFocus {
  heading: RefObject<HTMLHeadingElement | null>
  reply: RefObject<HTMLButtonElement | null>
  isAlone: boolean
  isOpen: boolean
  draftId: string | undefined
}

/** Moves the focus to the heading when the thread opens, and to the reply button when its draft closes. */
function useThreadFocus({ heading, reply, isAlone, isOpen, draftId }: ThreadFocus) {
  // Where the thread replaces the list, the focus moves too.
  useEffect(() => {
    if (isOpen && isAlone) heading.current?.focus({ preventScroll: true })
  }, [isOpen, isAlone, heading])
  const hadDraft = useRef(draftId !== undefined)
  useEffect(() => {
    if (hadDraft.current && draftId === undefined) reply.current?.focus({ preventScroll: true })
    hadDraft.current = draftId !== undefined
  }, [draftId, reply])
}

interface NoThreadProps {
  query: ReturnType<typeof useThread>
  isConnected: boolean
  onClose: () => void
}

/** The thread's placeholder: missing, failed, loading or not connected. */
function NoThread({ query, isConnected, onClose }: NoThreadProps) {
  const isMissing = statusOf(query.error) === 404
  return isMissing ? (
    <EmptyState
      icon={<MailQuestion />}
      title="This thread does not exist"
      className="my-auto"
      actions={<Button onClick={onClose}>Back to the list</Button>}
    >
      It was deleted, or it is in another mailbox.
    </EmptyState>
  ) : query.error ? (
    <ErrorState title="Couldn’t load the thread" onRetry={() => void query.refetch()} retrying={query.isFetching} className="my-auto">
      {messageOf(query.error)}
    </ErrorState>
  ) : isConnected ? (
    <SkeletonRows rows={6} rowClassName="h-20" />
  ) : (
    <EmptyState icon={<MailQuestion />} title="The thread is not here" className="my-auto">
      It shows once your mailbox is connected again.
    </EmptyState>
  )
}

interface AnswerButtonsProps {
  reply: RefObject<HTMLButtonElement | null>
  answers: Answers | undefined
  onBegin: (kind: AnswerKind) => void
  onContinue: (draftId: string) => void
}

/** Buttons that start a reply or forward, or continue the draft of one. */
function AnswerButtons({ reply, answers, onBegin, onContinue }: AnswerButtonsProps) {
  return (
    <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-4 py-2.5">
      <Button ref={reply} icon={<Reply />} onClick={() => onBegin('reply')}>
        Reply
      </Button>
      {answers?.hasOthers && (
        <Button icon={<ReplyAll />} onClick={() => onBegin('replyAll')}>
          Reply to all
        </Button>
      )}
      <Button icon={<Forward />} onClick={() => onBegin('forward')}>
        Forward
      </Button>
      {answers?.begun && (
        <Button variant="quiet" icon={<PenLine />} className="ml-auto" onClick={() => onContinue(answers.begun!.id)}>
          Continue the draft
        </Button>
      )}
    </footer>
  )
}
