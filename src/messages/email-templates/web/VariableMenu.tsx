import { Braces } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import type { TemplateVariable } from '../rules.ts'
import { variableWords } from './labels.ts'

interface VariableMenuProps {
  variables: readonly TemplateVariable[]
  onChoose: (name: TemplateVariable) => void
}

/** What can be put in: each stands for the patient's, or the practice's, own value. */
export function VariableMenu({ variables, onChoose }: VariableMenuProps) {
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button size="sm" icon={<Braces />}>
          Insert variable
        </Button>
      }
    >
      {variables.map((name) => (
        <MenuItem key={name} onSelect={() => onChoose(name)}>
          <span className="flex-1">{variableWords[name]}</span>
          <span className="pl-4 font-mono text-xs text-fg-3">{`{{${name}}}`}</span>
        </MenuItem>
      ))}
    </DropdownMenu>
  )
}
