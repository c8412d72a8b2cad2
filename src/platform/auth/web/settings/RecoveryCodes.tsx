import { Copy, Download } from 'lucide-react'
import { saveBlob } from '../../../../ui/client/save-blob.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'

interface RecoveryCodesProps {
  codes: readonly string[]
  onClose: () => void
}

/** Shown once: the server shows them to no one again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = `${codes.join('\n')}\n`
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast.success('Copied')
    } catch {
      toast.error('They were not copied', 'Save them as a file, or write them down.')
    }
  }
  function save() {
    saveBlob(new Blob([text], { type: 'text/plain' }), 'refyne-recovery-codes.txt')
  }
  return (
    <Dialog open onOpenChange={onClose} title="Keep your recovery codes" dismissible={false}>
      <DialogBody className="flex flex-col gap-4">
        <p className="text-md text-fg-2">
          Each lets you in once when your phone is not at hand. They are not shown again: keep them where only you find them.
        </p>
        <ol aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md bg-subtle p-4">
          {codes.map((code) => (
            <li key={code} className="font-mono text-md text-fg select-all">
              {code}
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Copy />} onClick={() => void copy()}>
            Copy
          </Button>
          <Button icon={<Download />} onClick={save}>
            Save as a file
          </Button>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" variant="filled" onClick={onClose}>
          I have kept them
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
