import { Fragment } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { useThreadScroll } from '../../../../platform/mail/web/embed/useThreadScroll.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { type Clock, formatDayHeading, formatPhone } from '../../../../ui/format.ts'
import { type ConversationData, isUnread, type WayData } from '../inbox-data.ts'
import type { ThreadItem } from '../thread-items.ts'
import type { Actions } from '../useActions.ts'
import { MessageItem } from './MessageItem.tsx'
import { NoteItem } from './NoteItem.tsx'
import { ScheduledItem } from './ScheduledItem.tsx'
import { TextItem } from './TextItem.tsx'

interface MessagesProps {
  conversation: ConversationData
  items: readonly ThreadItem[]
  people: readonly Person[]
  clock: Clock
  actions: Actions
  heldUnread: ReadonlySet<string>
  older: { has: boolean; isLoading: boolean; failed: boolean; load: () => void }
  onByEmail: ((text: string) => void) | undefined
}

/** All channels in one thread, day by day: oldest first, the newest in sight. */
export function Messages({ conversation, items, people, clock, actions, heldUnread, older, onByEmail }: MessagesProps) {
  const idOf = (item: ThreadItem) => (item.kind === 'note' ? item.note.id : item.message.id)
  const dayOf = (item: ThreadItem) => formatDayHeading(item.kind === 'note' ? item.note.createdAt : item.message.createdAt, clock)
  const lastId = items.length > 0 ? idOf(items.at(-1)!) : null
  const hasUnread = items.some((item) => item.kind === 'message' && isUnread(item.message))
  const lastMessage = items.findLast((item) => item.kind === 'message')
  const scroll = useThreadScroll(lastId, hasUnread)

  return (
    <div {...scroll} className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4">
      <Warnings conversation={conversation} />
      {older.has && (
        <div className="flex justify-center pb-4">
          <Button size="sm" busy={older.isLoading} busyLabel="Loading…" onClick={older.load}>
            {older.failed ? 'Couldn’t load earlier messages. Try again' : 'Show earlier messages'}
          </Button>
        </div>
      )}
      <ol aria-label="Messages" className="flex flex-col gap-3">
        {items.map((item, index) => {
          const day = dayOf(item)
          const isFirstOfDay = index === 0 || dayOf(items[index - 1]!) !== day
          const common = { people, clock }
          return (
            <Fragment key={idOf(item)}>
              {isFirstOfDay && <li className="py-1 text-center text-xs text-fg-3">{day}</li>}
              {item.kind === 'note' ? (
                <NoteItem note={item.note} {...common} />
              ) : item.message.channel === 'sms' ? (
                <TextItem
                  message={item.message}
                  contact={conversation.contact}
                  actions={actions}
                  isHeldUnread={heldUnread.has(item.message.id)}
                  onByEmail={onByEmail}
                  {...common}
                />
              ) : (
                <MessageItem
                  message={item.message}
                  contact={conversation.contact}
                  actions={actions}
                  isLast={item === lastMessage}
                  isHeldUnread={heldUnread.has(item.message.id)}
                  {...common}
                />
              )}
            </Fragment>
          )
        })}
      </ol>
      {conversation.scheduled.length > 0 && (
        <ol aria-label="Scheduled messages" className="flex flex-col gap-3 pt-4">
          {conversation.scheduled.map((message) => (
            <ScheduledItem key={message.id} message={message} people={people} clock={clock} actions={actions} />
          ))}
        </ol>
      )}
    </div>
  )
}

const why = {
  bounce: 'An email to it bounced permanently.',
  complaint: 'Its owner marked an email as spam.',
  stopped: 'Its owner answered STOP, and can send START to allow them again.',
}
const isSuppressed = ({ problem }: WayData): boolean => problem === 'bounce' || problem === 'complaint' || problem === 'stopped'

/** Why an address or a number that was used gets nothing, and who else has a number. */
function Warnings({ conversation: { contact, ways } }: { conversation: ConversationData }) {
  const used = ways.filter(({ threadId }) => threadId !== null)
  const several = (channel: WayData['channel']) => ways.filter((way) => way.channel === channel).length > 1
  return (
    <>
      {used.filter(isSuppressed).map(({ channel, address, problem }) => {
        const [isText, isPortal] = [channel === 'sms', channel === 'portal']
        // The address of the portal's emails is said once.
        if (isPortal && used.some((way) => way.channel === 'email' && way.address === address)) return null
        return (
          <Alert
            key={`${channel} ${address}`}
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
            {several(channel) && `${isText ? formatPhone(address) : address}: `}
            {why[problem as keyof typeof why]}{' '}
            {isText
              ? 'Call the patient, or write an email.'
              : isPortal
                ? 'The patient sees your reply only when they open the portal.'
                : 'Call the patient, or write to another address.'}
          </Alert>
        )
      })}
      {used
        .filter(({ sharedWith }) => sharedWith.length > 0)
        .map(({ address, sharedWith }) => (
          <Alert key={address} tone="info" title="Several patients have this number." className="mb-4">
            {contact ? 'Someone else may read or answer: ' : 'Link this conversation to the one who writes: '}
            {new Intl.ListFormat('en-CA').format(sharedWith.map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim()))}.
          </Alert>
        ))}
    </>
  )
}
