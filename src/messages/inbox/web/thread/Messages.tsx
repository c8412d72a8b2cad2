import type { Person } from '../../../../platform/auth/people-contract.ts'
import { useThreadScroll } from '../../../../platform/mail/web/embed/useThreadScroll.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { Clock } from '../../../../ui/format.ts'
import { type ConversationData, isUnread } from '../inbox-data.ts'
import type { ThreadItem } from '../thread-items.ts'
import type { Actions } from '../useActions.ts'
import { MessageItem } from './MessageItem.tsx'
import { TextItem } from './TextItem.tsx'
import { NoteItem } from './NoteItem.tsx'

interface MessagesProps {
  conversation: ConversationData
  items: readonly ThreadItem[]
  people: readonly Person[]
  clock: Clock
  actions: Actions
  heldUnread: ReadonlySet<string>
  older: { has: boolean; isLoading: boolean; failed: boolean; load: () => void }
}

const why = {
  bounce: 'An email to it bounced permanently.',
  complaint: 'Its owner marked an email as spam.',
  landline: 'It is a landline, or its carrier takes no texts.',
  stopped: 'Its owner answered STOP, and can send START to allow them again.',
}

/** Oldest first, the newest in sight. */
export function Messages({ conversation, items, people, clock, actions, heldUnread, older }: MessagesProps) {
  const idOf = (item: ThreadItem) => (item.kind === 'note' ? item.note.id : item.message.id)
  const lastId = items.length > 0 ? idOf(items.at(-1)!) : null
  const hasUnread = items.some((item) => item.kind === 'message' && isUnread(item.message))
  const lastMessage = items.findLast((item) => item.kind === 'message')
  const isPortal = conversation.channel === 'portal'
  const isText = conversation.channel === 'sms'
  const scroll = useThreadScroll(lastId, hasUnread)

  return (
    <div {...scroll} className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4">
      {conversation.suppressed && (
        <Alert
          tone="warning"
          title={
            isText
              ? 'No text messages are sent to this number.'
              : isPortal
                ? 'We cannot email this patient.'
                : 'No email is sent to this address.'
          }
          className="mb-4"
          action={
            isText ? (
              <HelpLink to="email#if-a-text-was-not-delivered">Why texts are not sent</HelpLink>
            ) : (
              <HelpLink to="email#if-an-email-was-not-sent">Why emails are not sent</HelpLink>
            )
          }
        >
          {why[conversation.suppressed]}{' '}
          {isText
            ? 'Call the patient, or write an email.'
            : isPortal
              ? 'The patient sees your reply only when they open the portal.'
              : 'Call the patient, or write to another address.'}
        </Alert>
      )}
      {conversation.sharedWith.length > 0 && (
        <Alert tone="info" title="Several patients have this number." className="mb-4">
          {conversation.contact ? 'Someone else may read or answer: ' : 'Link this conversation to the one who writes: '}
          {new Intl.ListFormat('en-CA').format(conversation.sharedWith.map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim()))}
          .
        </Alert>
      )}
      {older.has && (
        <div className="flex justify-center pb-4">
          <Button size="sm" busy={older.isLoading} busyLabel="Loading…" onClick={older.load}>
            {older.failed ? 'Couldn’t load earlier messages. Try again' : 'Show earlier messages'}
          </Button>
        </div>
      )}
      <ol aria-label="Messages" className="flex flex-col gap-3">
        {items.map((item) =>
          item.kind === 'note' ? (
            <NoteItem key={item.note.id} note={item.note} people={people} clock={clock} />
          ) : isText ? (
            <TextItem
              key={item.message.id}
              message={item.message}
              contact={conversation.contact}
              people={people}
              clock={clock}
              actions={actions}
              isHeldUnread={heldUnread.has(item.message.id)}
            />
          ) : (
            <MessageItem
              key={item.message.id}
              message={item.message}
              contact={conversation.contact}
              channel={conversation.channel}
              people={people}
              clock={clock}
              actions={actions}
              isLast={item === lastMessage}
              isHeldUnread={heldUnread.has(item.message.id)}
            />
          ),
        )}
      </ol>
    </div>
  )
}
