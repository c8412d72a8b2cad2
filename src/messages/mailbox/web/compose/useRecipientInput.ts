import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import type { Person } from '../../rules.ts'
import { readRecipients, withRecipients } from './recipients.ts'
import { usePatientAddresses } from './usePatientAddresses.ts'

/** One line of recipients: To, Cc or Bcc. */
export interface RecipientLine {
  label: string
  people: readonly Person[]
  /** Typed text that is not a recipient yet. */
  typed: string
}

interface RecipientInputOptions {
  line: RecipientLine
  onTyped: (typed: string) => void
  onChange: (people: Person[]) => void
}

/** The state and handlers of a recipients input. */
export type RecipientInput = ReturnType<typeof useRecipientInput>

/** The text input of a recipients field, with the patients that match the typed text. */
export function useRecipientInput({ line, onTyped, onChange }: RecipientInputOptions, input: RefObject<HTMLInputElement | null>) {
  const { people, typed } = line
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const [isLeft, setLeft] = useState(false)
  const found = usePatientAddresses(typed, isOpen)
  const matches = found.filter(({ email }) => !people.some((person) => person.email.toLowerCase() === email.toLowerCase()))
  const shown = isOpen && matches.length > 0
  const hand = Math.min(active, matches.length - 1)

  function take(text: string): boolean {
    const { people: read, rest } = readRecipients(text)
    if (read.length > 0) onChange(withRecipients(people, read))
    onTyped(rest)
    return rest === ''
  }
  function choose({ name, email }: Person) {
    onChange(withRecipients(people, [{ name, email }]))
    onTyped('')
    setOpen(false)
    input.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key } = event
    if (shown && (key === 'ArrowDown' || key === 'ArrowUp')) {
      setActive((hand + (key === 'ArrowDown' ? 1 : matches.length - 1)) % matches.length)
    } else if (key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      const match = matches[hand]
      // A complete address is used as typed.
      if (readRecipients(typed).people.length > 0 || !shown || !match) take(typed)
      else choose(match)
    } else if ((key === ',' || key === ';') && typed.trim() !== '' && !/^[^"]*"[^"]*$/.test(typed)) {
      take(typed)
    } else if (key === 'Backspace' && typed === '' && people.length > 0) {
      onChange(people.slice(0, -1))
    } else if (key === 'Escape' && shown) {
      setOpen(false)
      event.stopPropagation()
    } else {
      return
    }
    event.preventDefault()
  }
  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text')
    if (readRecipients(text).people.length === 0) return
    event.preventDefault()
    take(typed + text)
  }

  return {
    matches,
    shown,
    hand,
    isLeft,
    setOpen,
    setActive,
    choose,
    handlers: {
      onChange({ target }: ChangeEvent<HTMLInputElement>) {
        onTyped(target.value)
        setActive(0)
        setLeft(false)
        setOpen(target.value.trim() !== '')
      },
      onKeyDown,
      onPaste,
      onBlur() {
        setOpen(false)
        setLeft(!take(typed))
      },
    },
  }
}
