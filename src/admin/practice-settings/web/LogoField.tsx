import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { Mark } from '../../../ui/layout/Mark.tsx'
import { renewSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { sendBytes } from '../../../ui/uploads/send-bytes.ts'
import { logoLimit } from '../contract.ts'

interface LogoFieldProps {
  logo: string | null
  onChanged: () => void
}

/** The practice's logo; changes take effect immediately. */
export function LogoField({ logo, onChanged }: LogoFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)

  async function change(action: () => Promise<unknown>, done: string, failed: string) {
    setBusy(true)
    try {
      await action()
      await renewSession()
      onChanged()
      toast.success(done)
    } catch (error) {
      toast.error(failed, error instanceof Error ? messageOf(error) : undefined)
    }
    setBusy(false)
  }

  function upload(file: File) {
    if (file.size > logoLimit) return void toast.error('The logo was not saved', 'The logo can be at most 2 MB.')
    const send = () => sendBytes('/api/practice/logo', file, () => {}, new AbortController().signal)
    return void change(send, 'The logo was saved', 'The logo was not saved')
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Mark className="size-12 [&_svg]:size-7" logo="max-h-12 max-w-40" />
      <div className="min-w-40 flex-1">
        <p className="text-sm font-medium text-fg">Logo</p>
        <p className="text-sm text-fg-3">
          PNG, JPEG or WebP, up to 2 MB. It appears in the sidebar, on the sign-in page, in the portal, in emails and on printed documents.
        </p>
      </div>
      <span className="flex gap-2">
        {logo !== null && (
          <Button
            variant="quiet"
            disabled={isBusy}
            onClick={() => void change(() => client.practice.removeLogo(), 'The logo was removed', 'The logo was not removed')}
          >
            Remove logo
          </Button>
        )}
        <Button icon={<Upload />} busy={isBusy} busyLabel="Saving…" onClick={() => field.current?.click()}>
          {logo === null ? 'Choose logo' : 'Change logo'}
        </Button>
      </span>
      <input
        ref={field}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label="Logo"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) upload(file)
        }}
      />
    </div>
  )
}
