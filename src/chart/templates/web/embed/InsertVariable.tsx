import type { ReactElement, RefObject } from 'react'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'

interface InsertVariableProps<Name extends string> {
  trigger: ReactElement
  /** The field of the text. */
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  /** What each variable stands for. */
  variables: Readonly<Record<Name, string>>
  onChange: (value: string) => void
}

/** A menu that inserts a variable where the caret is. */
export function InsertVariable<Name extends string>({ trigger, field, value, variables, onChange }: InsertVariableProps<Name>) {
  function insert(name: string) {
    const text = field.current
    const [start, end] = [text?.selectionStart ?? value.length, text?.selectionEnd ?? value.length]
    const variable = `{{${name}}}`
    onChange(`${value.slice(0, start)}${variable}${value.slice(end)}`)
    // After the menu has returned the focus.
    setTimeout(() => {
      text?.focus()
      text?.setSelectionRange(start + variable.length, start + variable.length)
    })
  }
  return (
    <DropdownMenu trigger={trigger}>
      {Object.entries<string>(variables).map(([name, meaning]) => (
        <MenuItem key={name} onSelect={() => insert(name)}>
          {meaning}
        </MenuItem>
      ))}
    </DropdownMenu>
  )
}
