/** One mailbox: its messages, their threads, and what happened to them. */
import { type Message, type Place, placeLabels, placeOf } from './message.ts'

export type HistoryType = 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved'
export type HistoryEntry = { id: number; type: HistoryType; message: Message; labels: string[] }

/** What a new message needs not say. */
export type NewMessage = Omit<Message, 'id' | 'threadId' | 'messageId'> & { id?: string; threadId?: string; messageId?: string }

const firstHistoryId = 100_000

export class Mailbox {
  readonly email: string
  readonly #messages: Message[]
  readonly #byId = new Map<string, Message>()
  readonly #threads = new Map<string, Message[]>()
  readonly #history: HistoryEntry[] = []
  readonly #changed = new Map<string, number>()
  #historyId = firstHistoryId
  #made = 0

  /** @param messages newest first. */
  constructor(email: string, messages: Message[]) {
    this.email = email
    this.#messages = messages
    for (const message of messages) this.#byId.set(message.id, message)
    for (const message of messages.toReversed()) this.#threadOf(message.threadId).push(message)
  }

  /** Newest first. */
  list(): readonly Message[] {
    return this.#messages
  }

  find(id: string): Message | undefined {
    return this.#byId.get(id)
  }

  /** Oldest first; empty when there is no such thread. */
  thread(id: string): readonly Message[] {
    return this.#threads.get(id) ?? []
  }

  /** The newest message of each thread that holds one of these, newest first. @param messages newest first. */
  newestOfThreads(messages: readonly Message[]): Message[] {
    const seen = new Set<string>()
    return messages
      .filter(({ threadId }) => !seen.has(threadId) && seen.add(threadId))
      .map(({ threadId }) => this.thread(threadId).at(-1)!)
      .toSorted((a, b) => b.date - a.date)
  }

  add(message: NewMessage): Message {
    const id = message.id ?? `1a${(++this.#made).toString(16).padStart(6, '0')}${crypto.randomUUID().slice(0, 8)}`
    const stored: Message = {
      ...message,
      id,
      threadId: message.threadId ?? this.#threadFor(message) ?? id,
      messageId: message.messageId ?? `<${id}@${this.email.split('@')[1]}>`,
    }
    this.#place(stored)
    this.#record('messageAdded', stored, [...stored.labels])
    return stored
  }

  /** Takes the place of a draft: same id, same thread. */
  replace(before: Message, message: NewMessage): Message {
    this.#remove(before)
    const stored = {
      ...message,
      id: before.id,
      threadId: message.threadId ?? before.threadId,
      messageId: message.messageId ?? before.messageId,
    }
    this.#place(stored)
    this.#record('messageAdded', stored, [...stored.labels])
    return stored
  }

  relabel(message: Message, add: readonly string[], remove: readonly string[]): void {
    const removed = remove.filter((label) => message.labels.has(label) && !add.includes(label))
    const added = add.filter((label) => !message.labels.has(label))
    for (const label of removed) message.labels.delete(label)
    for (const label of added) message.labels.add(label)
    if (removed.length > 0) this.#record('labelRemoved', message, removed)
    if (added.length > 0) this.#record('labelAdded', message, added)
  }

  /** Into another folder, out of the one it lies in. @param label undefined for the archive. */
  move(message: Message, label: string | undefined): void {
    this.relabel(message, label ? [label] : [], placeLabels)
  }

  delete(message: Message): void {
    this.#remove(message)
    this.#record('messageDeleted', message, [])
  }

  count(matches: (message: Message) => boolean): { total: number; unread: number } {
    const found = this.#messages.filter(matches)
    return { total: found.length, unread: found.filter(({ labels }) => labels.has('UNREAD')).length }
  }

  countIn(place: Place): { total: number; unread: number } {
    return this.count(({ labels }) => placeOf(labels) === place)
  }

  get historyId(): number {
    return this.#historyId
  }

  /** When the message changed last. */
  historyIdOf(message: Message): number {
    return this.#changed.get(message.id) ?? firstHistoryId
  }

  /** What came after that, oldest first; undefined when it is too old, or none of ours. */
  historySince(id: number): HistoryEntry[] | undefined {
    if (!Number.isInteger(id) || id < firstHistoryId || id > this.#historyId) return undefined
    return this.#history.filter((entry) => entry.id > id)
  }

  #record(type: HistoryType, message: Message, labels: string[]): void {
    this.#historyId += 7
    this.#changed.set(message.id, this.#historyId)
    this.#history.push({ id: this.#historyId, type, message, labels })
  }

  #place(message: Message): void {
    this.#byId.set(message.id, message)
    const at = this.#messages.findIndex(({ date }) => date <= message.date)
    this.#messages.splice(at < 0 ? this.#messages.length : at, 0, message)
    const thread = this.#threadOf(message.threadId)
    const after = thread.findLastIndex(({ date }) => date <= message.date)
    thread.splice(after + 1, 0, message)
  }

  #remove(message: Message): void {
    this.#byId.delete(message.id)
    this.#messages.splice(this.#messages.indexOf(message), 1)
    const thread = this.#threadOf(message.threadId)
    thread.splice(thread.indexOf(message), 1)
    if (thread.length === 0) this.#threads.delete(message.threadId)
  }

  #threadOf(id: string): Message[] {
    const thread = this.#threads.get(id) ?? []
    this.#threads.set(id, thread)
    return thread
  }

  /** The thread of the message that this one answers. */
  #threadFor({ inReplyTo, references }: NewMessage): string | undefined {
    const answered = [inReplyTo, ...references.toReversed()]
    return this.#messages.find(({ messageId }) => answered.includes(messageId))?.threadId
  }
}
