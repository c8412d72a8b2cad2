import { useState, type ComponentProps } from 'react'
import { Input } from './Input.tsx'

/** A word instead of an eye icon: needs no tooltip and says what will happen. */
export function PasswordInput(props: Omit<ComponentProps<typeof Input>, 'type' | 'trailing' | 'leading'>) {
  const [shown, setShown] = useState(false)
  return (
    <Input
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          aria-pressed={shown}
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
          className="relative h-6 rounded-xs px-1.5 text-xs font-medium text-fg-2 touch-target hover:bg-hover hover:text-fg"
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}
