import { afterEach, beforeEach } from 'vitest'
import { takeLoggedFailures } from './checked-log.ts'

// A client hears of a failure only that something went wrong: the error of a test says what its server logged.
beforeEach(() => void takeLoggedFailures())
afterEach(({ task }) => {
  const logged = takeLoggedFailures()
  if (logged.length === 0) return
  for (const error of task.result?.errors ?? []) {
    const message = `${error.message} [logged: ${logged.join(' ')}]`
    error.stack = error.stack?.replace(error.message, () => message)
    error.message = message
  }
})
