import { useNavigate, useSearch } from '@tanstack/react-router'
import { CheckCheck, Inbox as InboxIcon, Lock, Plus } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { CountBadge } from '../../../ui/display/CountBadge.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { ExportMenu } from '../../../ui/display/ExportMenu.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { type Hotkey, useHotkeys } from '../../../ui/hooks/hotkeys.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SearchInput } from '../../../ui/controls/SearchInput.tsx'
import { TabPanel, Tabs } from '../../../ui/display/Tabs.tsx'
import { useRowKeys } from '../../../ui/hooks/useRowKeys.ts'
import { useSearchTerm } from '../../../ui/hooks/useSearchTerm.ts'
import { useWidth } from '../../../ui/hooks/useWidth.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { useUnreadMail } from './embed/useUnreadMail.ts'
import { type InboxSearch, type Show, showLabels } from './inbox-search.ts'
import { ConversationList } from './list/ConversationList.tsx'
import { UnreadList } from './list/UnreadList.tsx'
import { Conversation } from './thread/Conversation.tsx'
import { useActions } from './useActions.ts'
import { keyOf } from './inbox-data.ts'
import { useConversations, useLiveInbox, useOpenKey, useUnreadByPatient } from './useInbox.ts'

const NewMessageDialog = lazyDialog(
  () => import('./embed/NewMessageDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Spec 2: /inbox, patients' messages and replies. */
export default function InboxPage(): ReactNode {
  const isAllowed = usePermission()('inbox.conversations')
  return (
    <>
      <TopbarTitle title="Inbox" />
      {isAllowed ? <Inbox /> : <NoPermission />}
    </>
  )
}

function NoPermission() {
  const { people } = useDirectory()
  const admins = people.filter(({ role }) => role === 'admin').slice(0, 3)
  const names = new Intl.ListFormat('en-CA', { type: 'disjunction' }).format(admins.map(({ fullName }) => fullName))
  return (
    <EmptyState icon={<Lock />} title="The inbox is for sales">
      Administrators and sales read and answer what patients write. Ask an administrator if you need it{names && `: ${names}`}.
    </EmptyState>
  )
}

/** Page widths in px from which two and three panes fit. */
const roomForTwo = 640
const roomForThree = 1040

function Inbox() {
  const search = useSearch({ from: '/staff/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const width = useWidth(frame)
  const panes = width >= roomForThree ? 3 : width >= roomForTwo ? 2 : 1
  const [writing, setWriting] = useState(false)
  const shown = search.show ?? 'active'
  const isByPatient = shown === 'patients'
  const conversations = useConversations(search)
  const unread = useUnreadByPatient(isByPatient)
  const unreadCount = useUnreadMail()
  const actions = useActions()
  useLiveInbox()

  const change = (part: InboxSearch, replace = false) =>
    void navigate({ to: '/inbox', search: (before) => ({ ...before, ...part }), replace, resetScroll: false })
  const open = (conversation: string) => change({ conversation }, search.conversation !== undefined && panes > 1)
  const rows = useMemo(
    () =>
      isByPatient
        ? (unread.data?.data.map(({ latest_message, contact_id, contact_email }) => ({
            id: latest_message.conversation_id,
            key: contact_id ?? contact_email,
          })) ?? [])
        : (conversations.data?.pages.flatMap(({ data }) => data.map((row) => ({ id: row.id, key: keyOf(row) }))) ?? []),
    [isByPatient, unread.data, conversations.data],
  )
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const current = useRowKeys(ids)
  const openKey = useOpenKey(search.conversation)
  /** The line of the open conversation: another of its threads may be the newest by now. */
  const openId = rows.find(({ id, key }) => id === search.conversation || (openKey !== null && key === openKey))?.id

  /** An archived conversation has left the list; selects the next one. */
  function moveOn() {
    const at = ids.indexOf(openId ?? '')
    change({ conversation: panes > 1 ? (ids[at + 1] ?? ids[at - 1]) : undefined }, true)
  }

  const thread = search.conversation !== undefined && (
    <Conversation
      key={search.conversation}
      id={search.conversation}
      hasPanel={panes === 3}
      actions={actions}
      onBack={panes === 1 ? () => change({ conversation: undefined }) : undefined}
      onArchived={moveOn}
    />
  )

  return (
    <div ref={setFrame} className="flex min-h-0 flex-1 flex-col">
      {panes === 1 && thread ? (
        thread
      ) : (
        <Tabs<Show>
          aria-label="Which messages"
          value={shown}
          onValueChange={(show) => change({ show: show === 'active' ? undefined : show })}
          items={(Object.keys(showLabels) as Show[]).map((value) => ({
            value,
            label: showLabels[value],
            badge: value === 'unread' && <CountBadge count={unreadCount} label="unread messages" />,
          }))}
          className="flex-1"
          actions={
            panes === 1 ? (
              <>
                {unreadCount > 0 && (
                  <IconButton label="Mark all as read" icon={<CheckCheck />} onClick={() => void actions.markAll(new Date())} />
                )}
                <IconButton label="New message" icon={<Plus />} onClick={() => setWriting(true)} />
              </>
            ) : (
              <>
                {!isByPatient && <ExportMenu address="/api/conversations" filters={{ show: shown, search: search.search }} compact />}
                {unreadCount > 0 && (
                  <Button icon={<CheckCheck />} onClick={() => void actions.markAll(new Date())}>
                    Mark all as read
                  </Button>
                )}
                <Button icon={<Plus />} onClick={() => setWriting(true)}>
                  New message
                </Button>
              </>
            )
          }
        >
          <TabPanel value={shown} tabIndex={-1} className="flex flex-1">
            <div
              className={cn(
                'flex min-w-0 flex-col',
                panes === 1 ? 'flex-1' : panes === 2 ? 'w-75 flex-none border-r border-line' : 'w-85 flex-none border-r border-line',
              )}
            >
              {!isByPatient && <Find search={search} onChange={change} />}
              {isByPatient ? (
                <UnreadList unread={unread} open={openId} current={current} actions={actions} onOpen={open} />
              ) : (
                <ConversationList
                  key={shown}
                  search={search}
                  open={openId}
                  conversations={conversations}
                  current={current}
                  onOpen={open}
                  onClear={() => change({ search: undefined })}
                />
              )}
            </div>
            {panes > 1 &&
              (thread || (
                <div className="flex min-w-0 flex-1">
                  <EmptyState icon={<InboxIcon />} title="No conversation selected" className="my-auto">
                    Choose one on the left, or use j, k and Enter.
                  </EmptyState>
                </div>
              ))}
          </TabPanel>
        </Tabs>
      )}
      {writing && <NewMessageDialog onClose={() => setWriting(false)} onSent={(conversation) => change({ conversation })} />}
    </div>
  )
}

function Find({ search, onChange }: { search: InboxSearch; onChange: (part: InboxSearch, replace?: boolean) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [term, setTerm] = useSearchTerm(search.search ?? '', (entered) =>
    onChange({ search: entered || undefined }, search.search !== undefined && entered !== ''),
  )
  useHotkeys(useMemo<Hotkey[]>(() => [{ keys: '/', label: 'Search the list', group: 'Lists', run: () => input.current?.focus() }], []))
  return (
    <div role="search" className="flex-none border-b border-line p-2.5">
      <SearchInput
        ref={input}
        label="Name, address or words"
        keyHint="/"
        placeholder="Name, address or words"
        value={term}
        onValueChange={setTerm}
        maxLength={100}
      />
    </div>
  )
}
