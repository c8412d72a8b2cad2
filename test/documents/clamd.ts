import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { eicar } from '../../simulators/clamd/server.ts'
import { until } from '../until.ts'

/** Path of the ClamAV daemon; '' when it is not installed. */
export const clamdProgram = ['/usr/sbin/clamd', '/usr/bin/clamd', '/usr/local/sbin/clamd'].find((file) => fs.existsSync(file)) ?? ''

/** Starts the ClamAV daemon on its own socket with one signature: the EICAR test file. */
export async function startClamd(program: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-clamd-'))
  fs.chmodSync(folder, 0o755)
  const signatures = path.join(folder, 'signatures')
  fs.mkdirSync(signatures)
  fs.writeFileSync(path.join(signatures, 'local.ndb'), `Eicar-Test-Signature:0:*:${eicar.toString('hex')}\n`)
  const socketPath = path.join(folder, 'socket')
  const settings = path.join(folder, 'clamd.conf')
  const user = spawnSync('id', ['-un'], { encoding: 'utf8' }).stdout.trim()
  fs.writeFileSync(
    settings,
    `Foreground yes\nLocalSocket ${socketPath}\nDatabaseDirectory ${signatures}\nUser ${user}\nTemporaryDirectory ${folder}\nStreamMaxLength 5M\n`,
  )
  const child = spawn(program, ['--config-file', settings], { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await until(() => acceptsConnections(socketPath))
  return {
    url: `unix:${socketPath}`,
    async stop() {
      child.kill('SIGKILL')
      await exited
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

const acceptsConnections = (socketPath: string) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(socketPath)
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
