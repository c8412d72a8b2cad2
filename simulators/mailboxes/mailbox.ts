/** One mailbox: its messages, threads and history. */
import { type Message, type Place, placeLabels, placeOf } from './message.ts'

export type HistoryType = 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved'
export type HistoryEntry = { id: number; type: HistoryType; message: Message; labels: string[] }

/** A message to add; omitted ids are generated. */
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
  #addedCount = 0

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

  /** Oldest first; empty for an unknown thread. */
  thread(id: string): readonly Message[] {
    return this.#threads.get(id) ?? []
  }

  /** The newest message of each thread that contains one of these, newest first. @param messages newest first. */
  newestOfThreads(messages: readonly Message[]): Message[] {
    const seen = new Set<string>()
    return messages
      .filter(({ threadId }) => !seen.has(threadId) && seen.add(threadId))
      .map(({ threadId }) => this.thread(threadId).at(-1)!)
      .toSorted((a, b) => b.date - a.date)
  }

  add(message: NewMessage): Message {
    const id = message.id ?? `1a${(++this.#addedCount).toString(16).padStart(6, '0')}${crypto.randomUUID().slice(0, 8)}`
    const stored: Message = {
      ...message,
      id,
      threadId: message.threadId ?? this.#findThreadId(message) ?? id,
      messageId: message.messageId ?? `<${id}@${this.email.split('@')[1]}>`,
    }
    this.#insert(stored)
    this.#record('messageAdded', stored, [...stored.labels])
    return stored
  }

  /** Replaces a draft, keeping its id and thread. */
  replace(before: Message, message: NewMessage): Message {
    this.#remove(before)
    const stored = {
      ...message,
      id: before.id,
      threadId: message.threadId ?? before.threadId,
      messageId: message.messageId ?? before.messageId,
    }
    this.#insert(stored)
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

  /** Moves a message to another folder. @param label undefined for the archive. */
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

  /** The history id of the message's last change. */
  historyIdOf(message: Message): number {
    return this.#changed.get(message.id) ?? firstHistoryId
  }

  /** The changes after this history id, oldest first; undefined if the id is too old or unknown. */
  historySince(id: number): HistoryEntry[] | undefined {
    if (!Number.isInteger(id) || id < firstHistoryId || id > this.#historyId) return undefined
    return this.#history.filter((entry) => entry.id > id)
  }

  #record(type: HistoryType, message: Message, labels: string[]): void {
    this.#historyId += 7
    this.#changed.set(message.id, this.#historyId)
    this.#history.push({ id: this.#historyId, type, message, labels })
  }

  #insert(message: Message): void {
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

  /** The thread of the message that this one replies to. */
  #findThreadId({ inReplyTo, references }: NewMessage): string | undefined {
    const repliedTo = [inReplyTo, ...references.toReversed()]
    return this.#messages.find(({ messageId }) => repliedTo.includes(messageId))?.threadId
  }
}
