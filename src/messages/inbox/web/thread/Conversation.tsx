import { useState } from 'react'
import { MailQuestion } from 'lucide-react'
import { messageOf, statusOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatDue } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { whoOf } from '../inbox-data.ts'
import { ReplyBox } from '../reply/ReplyBox.tsx'
import type { Composing } from '../reply/useReply.ts'
import { openChannels } from '../reply/ways.ts'
import { PersonPanel } from '../side/PersonPanel.tsx'
import { threadItems } from '../thread-items.ts'
import type { Actions } from '../useActions.ts'
import { useConversation } from '../useInbox.ts'
import { Messages } from './Messages.tsx'
import { ThreadHead } from './ThreadHead.tsx'
import { useThreadKeys } from './useThreadKeys.ts'

interface ConversationProps {
  id: string
  hasPanel: boolean
  actions: Actions
  /** On a phone: back to the list. */
  onBack: (() => void) | undefined
  onArchived: () => void
}

/** A conversation over all channels: header, messages, composer, and who writes. */
export function Conversation({ id, hasPanel, actions, onBack, onArchived }: ConversationProps) {
  const clock = useClock()
  const directory = useDirectory()
  const { list: query, older } = useConversation(id)
  const [showsPerson, setShowsPerson] = useState(false)
  const [composing, setComposing] = useState<Composing | null>(null)
  /** Marked as unread by hand while open: it stays unread. */
  const [heldUnread, setHeldUnread] = useState<ReadonlySet<string>>(new Set())
  const pages = query.data?.pages
  const conversation = pages?.[0]
  const items = threadItems(pages ?? [])
  const received = items.flatMap((item) => (item.kind === 'message' && item.message.direction === 'inbound' ? [item.message] : []))
  const lastReceived = received.at(-1)

  async function archive() {
    if (!conversation) return
    if (conversation.status === 'archived') await actions.bringBack(id)
    else if (await actions.archive(id)) onArchived()
  }
  async function snooze(until: string | null) {
    if (!(await actions.snooze(id, until)) || until === null) return
    toast.undoable(`Snoozed until ${formatDue(until, clock)}`, () => void actions.snooze(id, null))
    onArchived()
  }
  function markUnread() {
    if (!lastReceived) return
    setHeldUnread(new Set([...heldUnread, lastReceived.id]))
    void actions.markUnread(lastReceived.id)
  }
  const compose = (mode: Composing['mode'], given: Pick<Composing, 'channel' | 'text'> = {}) =>
    setComposing((before) => ({ mode, ...given, asked: (before?.asked ?? 0) + 1 }))
  const assign = (to: string | null) => void actions.assign(id, to)
  useThreadKeys({ archive, markUnread, compose, assign })

  if (!conversation) {
    const isMissing = statusOf(query.error) === 404
    return (
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {isMissing ? (
          <EmptyState
            icon={<MailQuestion />}
            title="This conversation does not exist"
            className="my-auto"
            actions={onBack && <Button onClick={onBack}>Back to the list</Button>}
          />
        ) : query.error ? (
          <ErrorState
            title="Couldn’t load the conversation"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
            className="my-auto"
          >
            {messageOf(query.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={6} rowClassName="h-20" />
        )}
      </div>
    )
  }

  const person = <PersonPanel conversation={conversation} directory={directory} clock={clock} />
  return (
    <>
      <section aria-label={`Conversation with ${whoOf(conversation)}`} className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ThreadHead
          conversation={conversation}
          directory={directory}
          onBack={onBack}
          clock={clock}
          onArchive={() => void archive()}
          onSnooze={(until) => void snooze(until)}
          onMarkUnread={lastReceived && markUnread}
          onMarkRead={() => void actions.markConversation(id)}
          onAssign={assign}
          onPerson={hasPanel ? undefined : () => setShowsPerson(true)}
        />
        <Messages
          conversation={conversation}
          items={items}
          people={directory.people}
          clock={clock}
          actions={actions}
          heldUnread={heldUnread}
          older={{
            has: query.hasNextPage,
            isLoading: older.isBusy,
            failed: query.isFetchNextPageError,
            load: older.more,
          }}
          onByEmail={openChannels(conversation.ways).includes('email') ? (text) => compose('reply', { channel: 'email', text }) : undefined}
        />
        <ReplyBox conversation={conversation} people={directory.people} composing={composing} />
      </section>
      {hasPanel && (
        <aside aria-label="Sender" className="w-75 flex-none overflow-y-auto border-l border-line">
          {person}
        </aside>
      )}
      {showsPerson && !hasPanel && (
        <SideDrawer title="Sender" onClose={() => setShowsPerson(false)}>
          <div className="-mx-5 -my-5">{person}</div>
        </SideDrawer>
      )}
    </>
  )
}
