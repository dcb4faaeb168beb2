import { type ChildProcess, spawn } from 'node:child_process';

const PROGRAM = '/usr/bin/aplay';

/**
 * The headphones or the loudspeaker of one seat, which ALSA knows by a name. The page cannot play
 * there: a browser tells the names of outputs only to a page that may hear the microphone.
 */
export class Output {
  readonly name: string;
  readonly #program: string;
  #playing: ChildProcess | null = null;
  #problem: string | null = null;

  /** `program`: another aplay. */
  constructor(name: string, program = PROGRAM) {
    this.name = name;
    this.#program = program;
  }

  /** What it said when it could not play last; null = it played. */
  get problem(): string | null {
    return this.#problem;
  }

  /** In place of what is being played. */
  play(wav: Buffer): void {
    this.stop();
    const child = spawn(this.#program, ['-q', '-D', this.name, '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
    this.#playing = child;
    let said = '';
    child.stderr.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(0, 200);
    });
    child.stdin.on('error', () => {});
    const ended = (problem: string | null): void => {
      if (this.#playing !== child) return;
      this.#playing = null;
      this.#problem = problem;
    };
    child.on('error', (error) => ended(`aplay: ${error.message}`));
    child.on('close', (code) => ended(code === 0 ? null : said.trim() || `aplay ended with ${code}`));
    child.stdin.end(wav);
  }

  stop(): void {
    this.#playing?.kill('SIGKILL');
    this.#playing = null;
  }
}
