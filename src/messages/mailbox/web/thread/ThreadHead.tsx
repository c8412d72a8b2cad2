import { Archive, ArrowLeft, Ellipsis, Inbox, MailWarning, Trash2, UserRound } from 'lucide-react'
import type { RefObject } from 'react'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { noSubject, othersIn, type ThreadData } from '../mailbox-data.ts'
import { PatientLink } from './PatientLink.tsx'
import type { OpenThread } from './useOpenThread.ts'

interface ThreadHeadProps {
  thread: ThreadData
  own: string
  /** Has the actions available in its location. */
  open: Pick<OpenThread, 'actions' | 'isInInbox' | 'archive' | 'trash' | 'markUnread'>
  heading: RefObject<HTMLHeadingElement | null>
  onBack: (() => void) | undefined
  /** Where the panel does not fit next to the thread. */
  onPatient: (() => void) | undefined
}

/** Subject, participants, linked patient and actions. */
export function ThreadHead({ thread, own, open, heading, onBack, onPatient }: ThreadHeadProps) {
  const { actions, isInInbox, archive, trash, markUnread } = open
  const subject = thread.subject || noSubject
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-2 pr-2 pl-4 max-md:pl-1 md:pr-4">
      {onBack && <IconButton label="Back to the list" icon={<ArrowLeft />} size="lg" onClick={onBack} />}
      <div className="min-w-0 flex-1 basis-30 md:basis-40">
        <h2 ref={heading} tabIndex={-1} title={subject} className="truncate text-md font-semibold text-fg outline-none">
          {subject}
        </h2>
        <p className="truncate text-xs text-fg-3">
          {othersIn(thread.people, own)}
          {thread.messageCount > 1 && ` · ${thread.messageCount} emails`}
        </p>
      </div>
      <div className="flex flex-none items-center gap-1">
        {isInInbox && <IconButton label="Archive" keys="e" icon={<Archive />} onClick={archive} />}
        {!isInInbox && <IconButton label="Move to the inbox" keys="e" icon={<Inbox />} onClick={archive} />}
        {trash && <IconButton label="Move to the trash" keys="#" icon={<Trash2 />} onClick={trash} />}
        {onPatient && <IconButton label="The patient" icon={<UserRound />} onClick={onPatient} />}
        <DropdownMenu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
          <MenuItem icon={<MailWarning />} keys="u" onSelect={markUnread}>
            Mark as unread
          </MenuItem>
        </DropdownMenu>
      </div>
      <div className="w-full max-md:pl-3">
        <PatientLink key={thread.contact?.id ?? 'none'} thread={thread} actions={actions} />
      </div>
    </header>
  )
}
