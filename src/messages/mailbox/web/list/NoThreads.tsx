import { FolderX, Inbox, Search } from 'lucide-react'
import { codeOf, messageOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import type { EmailSearch } from '../email-search.ts'
import { folderName } from '../folders/folder-labels.ts'
import type { FolderRow } from '../mailbox-data.ts'
import type { Threads, useFolders } from '../useMailbox.ts'

interface NoThreadsProps {
  search: EmailSearch
  folder: FolderRow | null
  folders: ReturnType<typeof useFolders>
  threads: Threads
  isConnected: boolean
  onClear: () => void
  onAll: () => void
  onInbox: () => void
}

/** The list's placeholder: loading, failed or empty. */
export function NoThreads({ search, folder, folders, threads, isConnected, onClear, onAll, onInbox }: NoThreadsProps) {
  const { first } = threads
  const isSearching = search.search !== undefined
  if (!first.data) {
    if (!isConnected) {
      return (
        <EmptyState icon={<Inbox />} title="Your email is not here">
          It shows once your mailbox is connected again. What you begin to write is kept in Drafts.
        </EmptyState>
      )
    }
    if (!isSearching && folders.data && !folder) {
      return (
        <EmptyState icon={<FolderX />} title="This folder does not exist" actions={<Button onClick={onInbox}>Go to the inbox</Button>}>
          It was renamed or deleted, or it is in another mailbox.
        </EmptyState>
      )
    }
    const failed = first.error ? first : isSearching ? null : folders.error ? folders : null
    if (!failed) return <SkeletonRows rows={10} className="min-h-0 flex-1 overflow-hidden" rowClassName="h-20 md:px-4" />
    if (isSearching && codeOf(failed.error) === 'REFUSED') {
      return (
        <EmptyState
          icon={<Search />}
          title="Your mailbox does not understand this search"
          actions={<Button onClick={onClear}>Clear search</Button>}
        >
          Searched for “{search.search}”.
        </EmptyState>
      )
    }
    return (
      <ErrorState title="Couldn’t load your email" onRetry={() => void failed.refetch()} retrying={failed.isFetching}>
        {messageOf(failed.error)}
      </ErrorState>
    )
  }
  if (isSearching) {
    return (
      <EmptyState icon={<Search />} title="No email matches" actions={<Button onClick={onClear}>Clear search</Button>}>
        Searched for “{search.search}” in all email{search.show === 'unread' && ' that is unread'}.
      </EmptyState>
    )
  }
  if (search.show === 'unread') {
    return (
      <EmptyState icon={<Inbox />} title="Nothing to read" actions={<Button onClick={onAll}>Show all</Button>}>
        Everything in {folder ? folderName(folder) : 'this folder'} was read.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<Inbox />} title={folder ? `${folderName(folder)} is empty` : 'This folder is empty'}>
      Email appears here as it arrives, the newest first.
    </EmptyState>
  )
}
