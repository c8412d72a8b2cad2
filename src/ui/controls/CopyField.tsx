import { Copy } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Field } from '../forms/Field.tsx'
import { Input } from './Input.tsx'
import { toast } from '../overlays/toast.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** Whether it is not shown again, which the instructions say. */
  isSecret?: boolean
  /** Instructions. */
  children: ReactNode
}

/** A value with a copy button, such as a link. */
export function CopyField({ label, value, isSecret = false, children }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      toast.success('Copied')
    } catch {
      field.current?.select()
      toast.error('Couldn’t copy it', 'It is selected; copy it manually.')
    }
  }
  return (
    <div className="flex flex-col gap-2 pt-1">
      <div className="flex items-end gap-2">
        <Field label={label} className="min-w-0 flex-1">
          <Input ref={field} readOnly value={value} onFocus={({ target }) => target.select()} />
        </Field>
        <Button icon={<Copy />} className="md:h-9" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p className={isSecret ? 'text-sm font-medium text-fg' : 'text-xs text-fg-3'}>{children}</p>
    </div>
  )
}
