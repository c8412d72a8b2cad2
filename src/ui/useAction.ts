import { useState } from 'react'
import { codeOf, messageOf } from './client/api.ts'
import { fieldErrorsOf } from './client/form-errors.ts'
import type { Problems } from './ActionDialog.tsx'
import { toast } from './toast.ts'

type Fields = Readonly<Record<string, string>>

interface Sending<Result> {
  /** What is wrong already: nothing is sent then. */
  wrong?: Problems
  /** What is sent again as it was goes under the same key, so that an answer that was lost does no harm. */
  call: (idempotencyKey: string) => Promise<Result>
  /** What is said when it is done; nothing where the page itself shows it. */
  done?: (result: Result) => string
  /** The field that a refusal of this code is about; others are about the whole. */
  fields?: Fields
}

interface Options {
  onDone?: () => void
  /** What a refusal is about, where its code alone does not say so. */
  problemsOf?: (error: unknown, fields: Fields) => Problems
}

/** One action of a ActionDialog. What is wrong shows from the first try on; a refusal until something is typed. */
export function useAction({ onDone, problemsOf = refusedFor }: Options = {}) {
  const [refused, setRefused] = useState<Problems>({})
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [key, setKey] = useState(() => crypto.randomUUID())

  function edited() {
    setRefused({})
    setKey(crypto.randomUUID())
  }

  async function send<Result>({ wrong = {}, call, done, fields = {} }: Sending<Result>) {
    if (isBusy) return
    setRefused({})
    setTries((before) => before + 1)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const result = await call(key)
      setBusy(false)
      if (done) toast.success(done(result))
      onDone?.()
    } catch (error) {
      setBusy(false)
      setRefused(problemsOf(error, fields))
      setTries((before) => before + 1)
    }
  }

  return {
    isBusy,
    /** Changes with each try, for the focus. */
    tries,
    send,
    /** What is sent next is another thing, and what was refused is not so any more. */
    edited,
    /** A field's setter that says so. */
    typed:
      <Value>(set: (value: Value) => void) =>
      (value: Value) => {
        edited()
        set(value)
      },
    problems: (wrong: Problems = {}): Problems => (tries === 0 ? refused : { ...wrong, ...refused }),
  }
}

function refusedFor(error: unknown, fields: Fields): Problems {
  const named = fieldErrorsOf(error)
  if (Object.keys(named).length > 0) return named
  return { [fields[codeOf(error) ?? ''] ?? 'form']: messageOf(error) }
}
