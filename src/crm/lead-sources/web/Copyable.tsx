import { Copy } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/overlays/toast.ts'

/** Text with a copy button. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const id = useId()
  const block = useRef<HTMLPreElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast.success('Copied')
    } catch {
      if (block.current) getSelection()?.selectAllChildren(block.current)
      toast.error('Couldn’t copy the text', 'It is selected now: copy it with your keyboard.')
    }
  }
  return (
    <div>
      <div className="flex items-center justify-between gap-3 pb-1">
        <h4 id={id} className="text-sm font-medium text-fg">
          {label}
        </h4>
        <Button size="sm" icon={<Copy />} onClick={() => void copy()} aria-label={`Copy: ${label}`}>
          Copy
        </Button>
      </div>
      {/* Wraps, so that no part of it is hidden. */}
      <pre
        ref={block}
        role="region"
        aria-labelledby={id}
        className="rounded-md whitespace-pre-wrap wrap-anywhere border border-line bg-subtle px-3 py-2 text-xs leading-5 text-fg"
      >
        {text}
      </pre>
    </div>
  )
}
