import { useState } from 'react'
import { codeOf, messageOf } from '../../../../web/api.ts'
import { fieldErrorsOf } from '../../../../web/form-errors.ts'
import type { Problems } from '../../../../web/ui/DeedDialog.tsx'

/** What a DeedDialog needs to know of its deed. `fieldOf`: under which field a refusal stands, by its code. */
export function useDeed(fieldOf: Readonly<Record<string, string>> = {}) {
  const [deed, setDeed] = useState({ isBusy: false, tries: 0 })
  const [problems, setProblems] = useState<Problems>({})

  function refuse(wrong: Problems): void {
    setProblems(wrong)
    setDeed(({ tries }) => ({ isBusy: false, tries: tries + 1 }))
  }

  /** Does it; what is thrown is shown. */
  async function run(work: () => Promise<void>): Promise<void> {
    if (deed.isBusy) return
    setProblems({})
    setDeed(({ tries }) => ({ isBusy: true, tries }))
    try {
      await work()
      setDeed(({ tries }) => ({ isBusy: false, tries }))
    } catch (error) {
      const fields = fieldErrorsOf(error)
      refuse(Object.keys(fields).length > 0 ? fields : { [fieldOf[codeOf(error) ?? ''] ?? 'form']: messageOf(error) })
    }
  }

  return { deed, problems, refuse, run }
}
