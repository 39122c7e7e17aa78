/** Settings by name, as a settings file holds them: nested, incomplete, checked by the schema of all settings. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** A named recipe: the settings in which it differs from the defaults. Everything else stays the user's choice. */
export interface Method {
  readonly name: string;
  readonly description: string;
  readonly settings: SettingsInput;
  /** Other readings by name, as far as they differ from the settings: what the paper prints, what its code does. */
  readonly presets?: Readonly<Record<string, SettingsInput>>;
}
