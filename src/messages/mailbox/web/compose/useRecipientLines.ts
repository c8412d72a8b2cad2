import { useState } from 'react'
import type { DraftKeeper, Words } from './draft-store.ts'
import { readRecipients, withRecipients } from './recipients.ts'

type LineName = 'to' | 'cc' | 'bcc'

/** The visible recipient lines of a draft, with the text typed in each. */
export function useRecipientLines(keeper: DraftKeeper, words: Words) {
  const [typed, setTyped] = useState({ to: '', cc: '', bcc: '' })
  const [opened, setOpened] = useState<readonly LineName[]>([])
  const lines = (['to', 'cc', 'bcc'] as const).filter((line) => line === 'to' || words[line].length > 0 || opened.includes(line))
  return {
    lines,
    typed,
    lastOpened: opened.at(-1),
    open: (line: LineName) => setOpened([...opened, line]),
    setText: (line: LineName, text: string) => setTyped((before) => ({ ...before, [line]: text })),
    /** Adds recipients that are still being typed. Returns false if some text is not a recipient. */
    addTyped(): boolean {
      const left = Object.fromEntries(lines.map((line) => [line, readRecipients(typed[line])]))
      const isComplete = lines.every((line) => left[line]!.rest === '')
      for (const line of lines)
        if (left[line]!.people.length > 0) keeper.change({ [line]: withRecipients(words[line], left[line]!.people) })
      setTyped({ to: left.to?.rest ?? '', cc: left.cc?.rest ?? '', bcc: left.bcc?.rest ?? '' })
      return isComplete
    },
  }
}
