import { type ReactNode, useState } from 'react'
import { useUnsavedDrafts } from '../compose/draft-stores.ts'
import type { FolderRow } from '../mailbox-data.ts'
import { useActions } from '../useActions.ts'
import { useDrafts, useThread } from '../useMailbox.ts'
import { type AnswerKind, answersTo } from './answers.ts'
import { useThreadKeys } from './useThreadKeys.ts'

/** The mailbox that the thread is in. */
interface ThreadMailbox {
  own: string
  isConnected: boolean
  folders: readonly FolderRow[]
}

/** The draft below the thread. */
interface ThreadDraft {
  id: string | undefined
  onOpen: (id: string) => void
  composer: ReactNode
}

export interface OpenThreadOptions {
  id: string
  mailbox: ThreadMailbox
  draft: ThreadDraft
  /** Closes it. */
  onClose: () => void
  /** Called when it left the list. */
  onGone: (id: string) => void
}

export type OpenThread = ReturnType<typeof useOpenThread>

/** The open thread, with its actions and their keyboard shortcuts. */
export function useOpenThread({ id, mailbox, draft, onClose, onGone }: OpenThreadOptions) {
  const actions = useActions()
  const query = useThread(id, mailbox.isConnected)
  const drafts = useDrafts().data ?? []
  const unsaved = useUnsavedDrafts()
  const [isHeldUnread, setHeldUnread] = useState(false)
  const thread = query.data
  const answers = thread && answersTo(thread, mailbox.own, drafts, unsaved)
  const liesIn = (role: FolderRow['role']) => mailbox.folders.some((folder) => folder.role === role && thread?.folders.includes(folder.id))
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
    const begun = answers?.begin(kind, draft.id)
    if (begun) draft.onOpen(begun)
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

  return { query, thread, answers, actions, isHeldUnread, isInInbox, archive, trash, markUnread, seen, begin }
}
