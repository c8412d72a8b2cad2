import { recipientsOf, subjectOf } from '../../rules.ts'
import { beginDraft, keeperOf } from '../compose/draft-stores.ts'
import { reachable } from '../compose/recipients.ts'
import type { DraftView, Words } from '../compose/draft-store.ts'
import type { DraftData, MessageData, ThreadData } from '../mailbox-data.ts'

/** From the contract. */
const maxSubjectLength = 900

export type AnswerKind = 'reply' | 'replyAll' | 'forward'

export interface Answers {
  /** The email to reply to: the newest. */
  latest: MessageData | undefined
  /** Whether anyone but its sender received it. */
  hasOthers: boolean
  /** An existing draft that is not being sent. */
  begun: { id: string } | undefined
  /** The draft's id: an existing draft is continued. */
  begin: (kind: AnswerKind, open: string | undefined) => string | null
}

/** Starts replies and forwards of a thread. */
export function answersTo(thread: ThreadData, own: string, drafts: readonly DraftData[], unsaved: readonly DraftView[]): Answers {
  const latest = thread.messages.at(-1)
  const all: { id: string; words: Pick<Words, 'kind' | 'answers'> }[] = [
    ...unsaved,
    ...drafts.filter(({ state }) => state !== 'sending').map((draft) => ({ id: draft.id, words: draft })),
  ]
  const ofThread = all.filter(({ words }) => words.answers?.threadId === thread.id)

  return {
    latest,
    hasOthers: latest !== undefined && recipientsOf(latest, own, true).cc.length > 0,
    begun: ofThread[0],
    begin(kind, open) {
      if (!latest) return null
      const wanted = kind === 'forward' ? 'forward' : 'reply'
      const { to, cc } = kind === 'forward' ? { to: [], cc: [] } : recipientsOf(latest, own, kind === 'replyAll')
      const whom = { to: reachable(to), cc: reachable(cc) }
      const standing = open === undefined ? undefined : keeperOf(open)
      // If nothing was written yet, the pressed key decides the type.
      const isBlank = standing?.view().isTouched === false && standing.view().version === 0
      if (standing && isBlank && standing.view().words.kind === wanted) {
        standing.address(whom)
        return standing.view().id
      }
      const known = ofThread.find(({ words }) => words.kind === wanted && words.answers?.messageId === latest.id)
      if (known) return known.id
      return beginDraft({
        kind: wanted,
        answers: { messageId: latest.id, threadId: thread.id },
        ...whom,
        bcc: [],
        subject: subjectOf(wanted, latest.subject).slice(0, maxSubjectLength),
        text: '',
        html: null,
        withSignature: true,
      })
    },
  }
}
