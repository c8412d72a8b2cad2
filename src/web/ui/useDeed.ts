import { useState } from 'react'
import { codeOf, messageOf, statusOf } from '../api.ts'
import { fieldErrorsOf } from '../form-errors.ts'
import type { Problems } from './DeedDialog.tsx'
import { toast } from './toast.ts'

interface Sending<Result> {
  /** What is wrong already: nothing is sent then. */
  wrong?: Problems
  call: () => Promise<Result>
  /** What is said when it is done. */
  done: (result: Result) => string
  /** The field that a refusal of this code is about; others are about the whole. */
  fields?: Readonly<Record<string, string>>
}

/** One deed of a DeedDialog. What is wrong shows from the first try on; a refusal until something is typed. */
export function useDeed(onDone: () => void) {
  const [refused, setRefused] = useState<Problems>({})
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)

  async function send<Result>({ wrong = {}, call, done, fields = {} }: Sending<Result>) {
    if (isBusy) return
    setRefused({})
    setTries((before) => before + 1)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      toast.success(done(await call()))
      onDone()
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
    /** A field's setter: what was refused is another thing from now on. */
    typed:
      <Value>(set: (value: Value) => void) =>
      (value: Value) => {
        setRefused({})
        set(value)
      },
    problems: (wrong: Problems = {}): Problems => (tries === 0 ? refused : { ...wrong, ...refused }),
  }
}

function problemsOf(error: unknown, fields: Readonly<Record<string, string>>): Problems {
  const named = fieldErrorsOf(error)
  if (Object.keys(named).length > 0) return named
  if (statusOf(error) === 0) return { form: 'The connection was lost. Please try again.' }
  return { [fields[codeOf(error) ?? ''] ?? 'form']: messageOf(error) }
}
