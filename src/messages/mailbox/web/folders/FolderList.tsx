import { PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { formatCount } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import type { FolderRow } from '../mailbox-data.ts'
import type { useFolders } from '../useMailbox.ts'
import { folderIcon, folderKey, folderName } from './folder-labels.ts'

interface FolderListProps {
  folders: ReturnType<typeof useFolders>
  /** The open folder, as in the URL; null when the view belongs to none. */
  open: string | null
  drafts: { count: number; failed: number; isOpen: boolean }
  onOpen: (key: string) => void
  onDrafts: () => void
}

/** The mailbox's folders, and local drafts. Folder names by role are the same for every provider. */
export function FolderList({ folders, open, drafts, onOpen, onDrafts }: FolderListProps) {
  const rows = folders.data ?? []
  const roles = rows.filter(({ role }) => role !== null)
  const own = rows.filter(({ role }) => role === null)
  const line = (folder: FolderRow) => {
    const Icon = folderIcon(folder.role)
    const key = folderKey(folder)
    return (
      <Line
        key={folder.id}
        icon={<Icon aria-hidden="true" />}
        isOpen={key === open}
        count={folder.role === 'trash' || folder.role === 'sent' ? 0 : folder.unread}
        countLabel="unread"
        onOpen={() => onOpen(key)}
      >
        {folderName(folder)}
      </Line>
    )
  }
  return (
    <nav aria-label="Folders">
      <ul className="flex flex-col gap-px">
        {roles.slice(0, 1).map(line)}
        <Line
          icon={<PenLine aria-hidden="true" />}
          isOpen={drafts.isOpen}
          count={drafts.count}
          countLabel={drafts.failed > 0 ? `begun, ${drafts.failed} not sent` : 'begun'}
          isAlarming={drafts.failed > 0}
          onOpen={onDrafts}
        >
          Drafts
        </Line>
        {roles.slice(1).map(line)}
      </ul>
      {own.length > 0 && (
        <>
          <h2 className="px-2 pt-4 pb-1 text-xs font-medium text-fg-3">Folders</h2>
          <ul className="flex flex-col gap-px">{own.map(line)}</ul>
        </>
      )}
      {!folders.data &&
        (folders.error ? (
          <p className="px-2 pt-2 text-xs text-fg-2">
            Couldn’t load the folders.
            <Button size="sm" variant="quiet" busy={folders.isFetching} busyLabel="Trying…" onClick={() => void folders.refetch()}>
              Try again
            </Button>
          </p>
        ) : (
          folders.isFetching && (
            <div role="status" aria-label="Loading folders" className="flex flex-col gap-5 px-2 pt-4">
              <Skeleton className="w-24" />
              <Skeleton className="w-20" />
              <Skeleton className="w-24" />
              <Skeleton className="w-16" />
            </div>
          )
        ))}
    </nav>
  )
}

interface LineProps {
  icon: ReactNode
  isOpen: boolean
  count: number
  /** The count's label for a screen reader. */
  countLabel: string
  isAlarming?: boolean
  onOpen: () => void
  children: string
}

function Line({ icon, isOpen, count, countLabel, isAlarming = false, onOpen, children }: LineProps) {
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={onOpen}
        title={children}
        className={cn(
          'relative flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left text-sm md:h-(--control)',
          isOpen ? 'bg-selected font-medium text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg',
        )}
      >
        <span className={isOpen ? 'text-accent-fg' : 'text-fg-3'}>{icon}</span>
        <span className={cn('min-w-0 flex-1 truncate', count > 0 && 'font-medium text-fg')}>{children}</span>
        {count > 0 && (
          <span className={cn('flex-none text-xs tabular-nums', isAlarming ? 'font-semibold text-danger-fg' : 'text-fg-2')}>
            {formatCount(count)}
            <span className="sr-only"> {countLabel}</span>
          </span>
        )}
      </button>
    </li>
  )
}
