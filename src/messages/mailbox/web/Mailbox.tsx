import { useNavigate, useSearch } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { type Hotkey, useHotkeys } from '../../../ui/hooks/hotkeys.ts'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { useRowKeys } from '../../../ui/hooks/useRowKeys.ts'
import { useWidth } from '../../../ui/hooks/useWidth.ts'
import { RichTextField } from '../../../ui/rich-text/RichText.tsx'
import { DraftPane } from './compose/DraftPane.tsx'
import { adoptDrafts, beginDraft, useUnsavedDrafts } from './compose/draft-stores.ts'
import type { EmailSearch } from './email-search.ts'
import { folderKey, folderOf } from './folders/folder-labels.ts'
import { Folders } from './folders/Folders.tsx'
import { DraftList, draftIds } from './list/DraftList.tsx'
import { ListHead } from './list/ListHead.tsx'
import { NoThreads } from './list/NoThreads.tsx'
import { ThreadList } from './list/ThreadList.tsx'
import type { Connection } from './mailbox-data.ts'
import { Reconnect, Trouble } from './Notices.tsx'
import { Thread } from './thread/Thread.tsx'
import { useFailedSends } from './useFailedSends.ts'
import { useDrafts, useFolders, useLiveMailbox, useThreads } from './useMailbox.ts'

/** Page widths in px from which list and thread fit, then the folders next to them, then the patient panel. */
const [roomForTwo, roomForFolders, roomForPanel] = [640, 960, 1320]

/** A connected mailbox: folders, threads, the open thread and the draft. */
export function Mailbox({ connection }: { connection: Connection }) {
  const search = useSearch({ from: '/staff/email' })
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const width = useWidth(frame)
  const isTwo = width >= roomForTwo
  const hasFolders = width >= roomForFolders
  const [showsFolders, setShowsFolders] = useState(false)
  const own = connection.email ?? ''
  const isConnected = connection.state === 'connected'
  const isDrafts = search.show === 'drafts'
  const lists = useMailboxLists(search, isConnected)
  const { folders, folder, drafts, unsaved, rowIds } = lists

  const current = useRowKeys(rowIds)
  const navigation = useMailboxNavigation({ search, rowIds, isTwo, onGoTo: () => setShowsFolders(false) })
  const { change, open, goTo, close, moveOn } = navigation
  const compose = () =>
    open({
      draft: beginDraft({ kind: 'new', answers: null, to: [], cc: [], bcc: [], subject: '', text: '', html: null, withSignature: true }),
    })
  useComposeKey(compose)
  // An email can be written while the connection is lost.
  useEffect(() => RichTextField.prepare(), [])

  const composer = search.draft !== undefined && (
    <DraftPane
      key={search.draft}
      id={search.draft}
      own={own}
      isFoot={search.thread !== undefined && isTwo}
      onClose={() => (search.thread === undefined ? close() : change({ draft: undefined }))}
      onMoved={(draft) => change({ draft }, true)}
    />
  )
  const reader =
    search.thread === undefined ? (
      composer
    ) : (
      <Thread
        key={search.thread}
        id={search.thread}
        mailbox={{ own, isConnected, folders: folders.data ?? [] }}
        draft={{ id: search.draft, onOpen: (draft) => change({ draft }), composer: composer || null }}
        isAlone={!isTwo}
        hasPanel={width >= roomForPanel}
        onClose={close}
        onGone={moveOn}
      />
    )

  const folderList = (
    <Folders
      connection={connection}
      folders={folders}
      open={isDrafts || search.search !== undefined || !folder ? null : folderKey(folder)}
      drafts={{
        count: draftIds(drafts.data ?? [], unsaved).length,
        failed: (drafts.data ?? []).filter(({ state }) => state === 'failed' || state === 'unsure').length,
        isOpen: isDrafts,
      }}
      onOpen={(key) => goTo({ folder: key === 'inbox' ? undefined : key })}
      onDrafts={() => goTo({ show: 'drafts' })}
      onCompose={hasFolders ? compose : undefined}
    />
  )

  return (
    <div ref={setFrame} className="flex min-h-0 flex-1 flex-col">
      {connection.state === 'reconnect' ? <Reconnect connection={connection} /> : <Trouble />}
      <div className="flex min-h-0 flex-1">
        {hasFolders && <div className="w-50 flex-none overflow-y-auto border-r border-line bg-subtle p-2.5">{folderList}</div>}
        {(isTwo || !reader) && (
          <div
            className={cn('flex min-w-0 flex-col', isTwo ? cn('flex-none border-r border-line', hasFolders ? 'w-80' : 'w-72') : 'flex-1')}
          >
            <ListHead
              search={search}
              folder={folder}
              onChange={change}
              onFolders={hasFolders ? undefined : () => setShowsFolders(true)}
              onCompose={hasFolders ? undefined : compose}
            />
            <MailboxList search={search} own={own} isConnected={isConnected} lists={lists} navigation={navigation} current={current} />
          </div>
        )}
        {(isTwo || reader) && (
          <div className="flex min-w-0 flex-1">
            {reader || (
              <EmptyState icon={<Mail />} title="Nothing is open" className="my-auto">
                Choose one on the left, or use j, k and Enter.
              </EmptyState>
            )}
          </div>
        )}
      </div>
      {showsFolders && !hasFolders && (
        <SideDrawer title="Folders" onClose={() => setShowsFolders(false)}>
          {folderList}
        </SideDrawer>
      )}
    </div>
  )
}

interface MailboxListProps {
  search: EmailSearch
  own: string
  isConnected: boolean
  lists: ReturnType<typeof useMailboxLists>
  navigation: ReturnType<typeof useMailboxNavigation>
  current: string | null
}

/** The drafts, or the threads of the folder or search. */
function MailboxList({ search, own, isConnected, lists, navigation, current }: MailboxListProps) {
  const { folders, folder, asked, threads, drafts, unsaved } = lists
  const { change, open, goTo } = navigation
  return search.show === 'drafts' ? (
    <DraftList
      drafts={drafts}
      unsaved={unsaved}
      open={search.draft}
      current={current}
      onOpen={({ id, answers }) => open({ draft: id, thread: answers?.threadId })}
    />
  ) : (
    <ThreadList
      key={JSON.stringify(asked)}
      threads={threads}
      place={JSON.stringify([own, asked])}
      own={own}
      open={search.thread}
      current={current}
      onOpen={(thread) => open({ thread })}
      empty={
        <NoThreads
          search={search}
          folder={folder}
          folders={folders}
          threads={threads}
          isConnected={isConnected}
          onClear={() => change({ search: undefined })}
          onAll={() => change({ show: undefined })}
          onInbox={() => goTo({})}
        />
      }
    />
  )
}

/** The folders, threads and drafts that the mailbox lists, and the ids of the visible rows. */
function useMailboxLists(search: EmailSearch, isConnected: boolean) {
  const isDrafts = search.show === 'drafts'
  useLiveMailbox()

  const folders = useFolders(isConnected)
  const folder = folders.data ? folderOf(folders.data, search.folder) : null
  const asked = { folder: search.search === undefined ? folder?.id : undefined, search: search.search, unread: search.show === 'unread' }
  const threads = useThreads(asked, isConnected && !isDrafts && (folder !== null || search.search !== undefined))
  const drafts = useDrafts()
  const unsaved = useUnsavedDrafts()
  useFailedSends(drafts.data)
  useEffect(() => adoptDrafts(drafts.data ?? []), [drafts.data])
  const rowIds = useMemo(
    () => (isDrafts ? draftIds(drafts.data ?? [], unsaved) : (threads.rows ?? []).map(({ id }) => id)),
    [isDrafts, drafts.data, unsaved, threads.rows],
  )
  return { folders, folder, asked, threads, drafts, unsaved, rowIds }
}

interface NavigationOptions {
  search: EmailSearch
  rowIds: readonly string[]
  isTwo: boolean
  /** Called when another folder opens. */
  onGoTo: () => void
}

/** Opens and closes folders, threads and drafts by changing the URL. */
function useMailboxNavigation({ search, rowIds, isTwo, onGoTo }: NavigationOptions) {
  const navigate = useNavigate({ from: '/email' })
  const change = (part: EmailSearch, replace = false) =>
    void navigate({ to: '/email', search: (before) => ({ ...before, ...part }), replace, resetScroll: false })
  const isAnyOpen = search.thread !== undefined || search.draft !== undefined

  const open = (part: Pick<EmailSearch, 'thread' | 'draft'>) => change({ thread: undefined, draft: undefined, ...part }, isAnyOpen && isTwo)
  const goTo = (part: EmailSearch) => {
    onGoTo()
    change({ folder: undefined, show: undefined, search: undefined, thread: undefined, draft: undefined, ...part })
  }
  const close = () => {
    const row = search.thread ?? search.draft
    change({ thread: undefined, draft: undefined })
    // The list may have to render first. A sent draft has no row.
    requestAnimationFrame(() => {
      const line = document.querySelector(`[data-row="${CSS.escape(row ?? '')}"]`) ?? document.querySelector('[data-row]')
      line?.querySelector('button')?.focus()
    })
  }
  /** Called with the threads that left the list; selects the next one. */
  function moveOn(from: string) {
    const at = rowIds.indexOf(from)
    change({ thread: isTwo ? (rowIds[at + 1] ?? rowIds[at - 1]) : undefined, draft: undefined }, true)
  }
  return { change, open, goTo, close, moveOn }
}

function useComposeKey(compose: () => void) {
  const latest = useRef(compose)
  useEffect(() => {
    latest.current = compose
  })
  useHotkeys(useMemo<Hotkey[]>(() => [{ keys: 'c', label: 'New email', group: 'Email', run: () => latest.current() }], []))
}
